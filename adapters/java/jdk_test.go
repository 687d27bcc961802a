package java

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// fakeJava writes an installation that says a version; tools are its commands beside java.
func fakeJava(t *testing.T, version string, tools ...string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "release"), []byte("JAVA_VERSION=\""+version+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tool := range append(tools, "java") {
		if err := os.WriteFile(filepath.Join(home, "bin", tool), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestMajor(t *testing.T) {
	for version, want := range map[string]int{"17.0.15": 17, "1.8.0_392": 8, "25": 25, "21-ea": 21, "": 0, "x": 0} {
		if got := major(version); got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
}

func TestMavenKeepsTheUsersOptions(t *testing.T) {
	j := job{env: []string{"MAVEN_OPTS=-Xmx2g -XX:TieredStopAtLevel=4"}}
	if got, want := prepare.Lookup(j.buildEnviron(), "MAVEN_OPTS"), "-XX:TieredStopAtLevel=1 -Xmx2g -XX:TieredStopAtLevel=4"; got != want {
		t.Errorf("Maven is given %q, want %q", got, want)
	}
}

func TestJavasAreFound(t *testing.T) {
	a := &adapter{}
	whole, newer := fakeJava(t, "17.0.15", "javac"), fakeJava(t, "25.0.1", "javac")
	runtime, old := fakeJava(t, "17.0.2"), fakeJava(t, "11.0.2", "javac")
	env := []string{"JAVA_HOME=" + whole, "PATH=" + filepath.Join(newer, "bin")}

	found, err := a.javas(t.Context(), adapters.Request{}, env)
	if err != nil || found.program.home != whole || found.tools.home != whole {
		t.Errorf("JAVA_HOME before PATH: %+v, %v", found, err)
	}
	found, err = a.javas(t.Context(), adapters.Request{RuntimePath: filepath.Join(newer, "bin", "java")}, env)
	if err != nil || found.program.major != 25 {
		t.Errorf("runtime_path before all: %+v, %v", found, err)
	}
	found, err = a.javas(t.Context(), adapters.Request{RuntimePath: runtime}, env)
	if err != nil || found.program.home != runtime || found.tools.home != whole {
		t.Errorf("a mere runtime is debugged with another's tools: %+v, %v", found, err)
	}
	if _, err = a.javas(t.Context(), adapters.Request{RuntimePath: old}, env); err == nil || !strings.Contains(err.Error(), "too old") {
		t.Errorf("11: %v", err)
	}
}

// What the workspace asks its version manager for is taken where it is installed.
func TestJavaThatTheWorkspaceAsksFor(t *testing.T) {
	a := &adapter{}
	usual, user, dir := fakeJava(t, "17.0.15", "javac"), t.TempDir(), prepare.Physical(t.TempDir())
	kept := filepath.Join(user, ".sdkman", "candidates", "java")
	if err := os.MkdirAll(kept, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, version := range map[string]string{"21.0.2-tem": "21.0.2", "11.0.9-tem": "11.0.9"} {
		if err := os.Rename(fakeJava(t, version, "javac"), filepath.Join(kept, name)); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{"JAVA_HOME=" + usual, "HOME=" + user}
	for asked, want := range map[string]int{"java=21.0.2-tem\n": 21, "java=23-open\n": 17, "java=11.0.9-tem\n": 17, "": 17} {
		if err := os.WriteFile(filepath.Join(dir, ".sdkmanrc"), []byte(asked), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := a.javas(t.Context(), adapters.Request{Workspace: dir}, env)
		if err != nil || found.program.major != want {
			t.Errorf("%q: %+v, %v, want %d", asked, found, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".sdkmanrc"), []byte("java=21.0.2-tem\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := adapters.Request{Workspace: dir, Env: map[string]string{"JAVA_HOME": usual}}
	if found, err := a.javas(t.Context(), r, env); err != nil || found.program.major != 17 {
		t.Errorf("JAVA_HOME of the call: %+v, %v", found, err)
	}
}

func TestNoJDK(t *testing.T) {
	a := &adapter{}
	if _, err := a.javas(t.Context(), adapters.Request{}, nil); !fault.Is(err, fault.AdapterNotFound) {
		t.Errorf("no Java at all: %v", err)
	}
	_, err := a.javas(t.Context(), adapters.Request{RuntimePath: fakeJava(t, "17.0.2")}, nil)
	if !fault.Is(err, fault.AdapterNotFound) || !strings.Contains(err.Error(), "only a Java runtime") {
		t.Errorf("a mere runtime: %v", err)
	}
	broken := fakeJava(t, "")
	_, err = a.javas(t.Context(), adapters.Request{}, []string{"JAVA_HOME=" + broken})
	if !fault.Is(err, fault.AdapterNotFound) || !strings.Contains(err.Error(), "the Java in "+broken+" does not run") {
		t.Errorf("one that does not run is there all the same: %v", err)
	}
	whole := fakeJava(t, "21.0.1", "javac")
	a.places = []string{filepath.Dir(whole) + "/*"}
	if found, err := a.javas(t.Context(), adapters.Request{}, nil); err != nil || found.tools.home != whole {
		t.Errorf("the usual places: %+v, %v", found, err)
	}
}

func FuzzParseClass(f *testing.F) {
	f.Add([]byte{0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 2, 1, 0, 1, 'x'})
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := parseClass(data); err == nil && c.name == "" {
			t.Error("a class without a name")
		}
	})
}
