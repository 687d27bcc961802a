package project

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	// A test's name, or how it makes names at run time; behind a table of rows too.
	jsCalls   = pattern.New("(?m)(?:^[ \\t]*(?:it|test|specify)(?:\\.(?:only|concurrent|serial))?\\s*\\(|\\.each\\(\\w+\\)\\s*\\(|\\]\\)\\s*\\(|^\\s*`\\s*\\()\\s*(?:'([^'\\\\\\n]+)'|\"([^\"\\\\\\n]+)\"|`([^`\\\\\\n]+)`)\\s*[,)]")
	jsImports = pattern.New(`(?:from\s*|require\s*\(\s*)["']([^"'\n]+)["']`)
)

// jsRunner is a test runner and what shows that it is used.
type jsRunner struct {
	name    string
	imports string // of its tests, where they import it
	script  string // in the script "test"; empty: only what its tests import shows it
	config  string // its configuration's name up to a dot
	whole   bool   // it runs all tests of a file
}

var jsRunners = []jsRunner{
	{name: "vitest", imports: "vitest", script: "vitest", config: "vitest.config"},
	{name: "jest", imports: "@jest/globals", script: "jest", config: "jest.config"},
	{name: "mocha", imports: "mocha", script: "mocha", config: ".mocharc"},
	{name: "node:test", imports: "node:test", script: "--test"},
	{name: "ava", imports: "ava"},
	{name: "tape", imports: "tape", whole: true},
	{name: "uvu", imports: "uvu", whole: true},
}

// otherRunners have tests that only they can run, by what those import.
var otherRunners = []string{"@playwright/test", "bun:test", "cypress", "jasmine", "tap", "qunit", "@japa/runner", "@web/test-runner"}

// jsRunnerOf is the runner that a directory's files say its tests have, empty
// when they say nothing.
func (s *scan) jsRunnerOf(dir workspace.Directory) string {
	for _, r := range jsRunners {
		configured := func(name string) bool { return r.config != "" && strings.HasPrefix(name, r.config+".") }
		if slices.ContainsFunc(dir.Entries, func(e fs.DirEntry) bool { return configured(e.Name()) }) {
			return r.name
		}
	}
	m := s.packages[dir.Rel]
	if m == nil {
		return ""
	}
	if m.Jest != nil {
		return "jest"
	}
	for _, r := range jsRunners {
		if r.script != "" && strings.Contains(m.Scripts["test"], r.script) {
			return r.name
		}
	}
	for _, r := range jsRunners {
		if r.script != "" && m.Wants(r.name) {
			return r.name
		}
	}
	return ""
}

// isJSTest knows tests by the names and directories that all runners go by.
func isJSTest(dir, name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	for _, end := range []string{".test", ".spec", "-test", "_test", "Spec"} {
		if strings.HasSuffix(stem, end) {
			return true
		}
	}
	if stem == "test" || strings.HasPrefix(stem, "test-") {
		return true
	}
	return slices.ContainsFunc(strings.Split(dir, "/"), func(part string) bool {
		return slices.Contains([]string{"__tests__", "test", "tests", "spec", "specs"}, part)
	})
}

// jsTests adds the tests of a file, where it is known what runs them: what they
// import, else what the nearest directory upwards says.
func (s *scan) jsTests(dir workspace.Directory, rel string) {
	text := s.Read(rel)
	framework, whole := "", false
	for _, imported := range workspace.Submatches(jsImports, text) {
		if slices.Contains(otherRunners, imported) {
			return
		}
		for _, r := range jsRunners {
			if imported == r.imports {
				framework, whole = r.name, r.whole
			}
		}
	}
	for at := dir.Rel; framework == ""; at = path.Dir(at) {
		if framework = s.runners[at]; at == "." {
			break
		}
	}
	if framework != "" {
		s.AddSuite(workspace.Suite{Language: "javascript", Framework: framework, Path: dir.Rel, Target: rel, Whole: whole}, workspace.Submatches(jsCalls, text))
	}
}
