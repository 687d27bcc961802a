package java

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// What the tools write is cut to the reason that they give.
func TestBuildFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ output, want, without string }{
		"Gradle without a task": {
			"\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nTask 'run' not found in root project 'multi'.\n\n* Try:\nRun gradle tasks.\n\nBUILD FAILED in 15s\n",
			"the build failed: Task 'run' not found in root project 'multi'.", "BUILD FAILED",
		},
		"Gradle with a place": {
			"* Where:\nBuild file '/p/lib/build.gradle' line: 4\n\n* What went wrong:\nA problem occurred.\n> Could not find method foo()\n\n* Try:\nRun it.\n",
			"the build failed: lib/build.gradle:4: A problem occurred. > Could not find method foo()", "Try",
		},
		"Maven with an old level": {
			"\x1b[0m[ERROR] COMPILATION ERROR : \n[ERROR] Source option 5 is no longer supported. Use 7 or later.\n[ERROR] -> [Help 1]\n[ERROR] \n[ERROR] To see the full stack trace of the errors, re-run\n",
			"the build failed: Source option 5 is no longer supported. Use 7 or later.", "stack trace",
		},
		"Maven with a broken file": {
			"[ERROR] [ERROR] Some problems were encountered while processing the POMs:\n[FATAL] Non-parseable POM /p/pom.xml: start tag -> [Help 2]\n @ \n",
			"the build failed: Non-parseable POM /p/pom.xml: start tag", "\x1b",
		},
		"javac": {"error: invalid flag: --nosuch\nUsage: javac\n", "the build failed: error: invalid flag: --nosuch", "[ERROR]"},
	} {
		f := failure(job{Request: adapters.Request{Workspace: "/p"}}, "the tool", c.output)
		if f.Code != fault.BuildFailed || f.Message != c.want || f.Hint == "" {
			t.Errorf("%s: %s %q, hint %q, want %q", name, f.Code, f.Message, f.Hint, c.want)
		}
		if shown := detailsOf(t, f); strings.Contains(shown, c.without) {
			t.Errorf("%s: the details still have %q: %s", name, c.without, shown)
		}
	}
}

// What is missing is named with what brings it.
func TestBuildThatLacksSomething(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"[ERROR] /p/src/test/java/a/CartTest.java:[5,29] package org.junit.jupiter.api does not exist\n":                            "add org.junit.jupiter:junit-jupiter to the dependencies",
		"/p/T.java:3: error: package org.junit does not exist\nimport org.junit.Test;\n":                                            "add junit:junit ",
		"/p/T.java:3: error: package com.acme does not exist\n":                                                                     "mend the source",
		"[ERROR] Failed to execute goal x: Fatal error compiling: error: release version 21 not supported -> [Help 1]\n":            "the project wants Java 21: give",
		"error: invalid source release: 25\n":                                                                                       "the project wants Java 25: give",
		"/p/T.java:3: error: cannot access Lib\n  bad class file: lib.jar\n    class file has wrong version 65.0, should be 61.0\n": "the project wants Java 21: give",
	} {
		if f := failure(job{Request: adapters.Request{Workspace: "/p"}}, "the tool", output); !strings.Contains(f.Hint, want) {
			t.Errorf("%s: hint %q, want %q", output, f.Hint, want)
		}
	}
}

// A project that asks for a Java which is too old is told with what builds it.
func TestBuildForAnOldJava(t *testing.T) {
	t.Parallel()
	failed := fault.New(fault.BuildFailed, "the build failed: Source option 5 is no longer supported. Use 7 or later.")
	for name, c := range map[string]struct{ above, pom, want string }{
		"the defaults":     {"", "<project/>", `{"build_args":["-Dmaven.compiler.source=8","-Dmaven.compiler.target=8"]}`},
		"a property above": {"<jdk>1.5</jdk><maven.compiler.source>${jdk}</maven.compiler.source>", "<project/>", `{"build_args":["-Djdk=8"]}`},
		"in the plugin":    {"", "<configuration><source>1.5</source></configuration>", "raise source and target"},
	} {
		dir := t.TempDir()
		p := project{kind: maven, dir: filepath.Join(dir, "core")}
		if err := os.Mkdir(p.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for file, text := range map[string]string{filepath.Join(p.dir, "pom.xml"): c.pom, filepath.Join(dir, "pom.xml"): c.above} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil && text != "" {
				t.Fatal(err)
			}
		}
		f, ok := errors.AsType[*fault.Error](p.explain(job{}, failed))
		if !ok || !strings.Contains(f.Hint, c.want) {
			t.Errorf("%s: hint %q, want %q", name, f.Hint, c.want)
		}
	}
}
