package workspace

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	jsCalls   = pattern.New("(?m)^[ \\t]*(?:it|test|specify)(?:\\.(?:only|concurrent))?\\s*\\(\\s*(?:'([^'\\\\\\n]+)'|\"([^\"\\\\\\n]+)\"|`([^`$\\\\\\n]+)`)")
	jsImports = pattern.New(`(?:from\s*|require\s*\(\s*)["']([^"'\n]+)["']`)
)

// jsRunner is a test runner and what shows that it is used.
type jsRunner struct {
	name    string
	imports string // of its tests, where they import it
	script  string // in the script "test"
	config  string // its configuration's name up to a dot
}

var jsRunners = []jsRunner{
	{"vitest", "vitest", "vitest", "vitest.config"},
	{"jest", "@jest/globals", "jest", "jest.config"},
	{"mocha", "mocha", "mocha", ".mocharc"},
	{"node:test", "node:test", "--test", ""},
}

// otherRunners have tests that only they can run, by what those import.
var otherRunners = []string{"@playwright/test", "ava", "bun:test", "cypress", "jasmine", "tap", "tape", "uvu", "qunit", "@japa/runner", "@web/test-runner"}

// jsRunnerOf is the runner that a directory's files say its tests have, empty
// when they say nothing.
func (s *scan) jsRunnerOf(dir directory) string {
	for _, r := range jsRunners {
		configured := func(name string) bool { return r.config != "" && strings.HasPrefix(name, r.config+".") }
		if slices.ContainsFunc(dir.entries, func(e fs.DirEntry) bool { return configured(e.Name()) }) {
			return r.name
		}
	}
	m := s.packages[dir.rel]
	if m == nil {
		return ""
	}
	if m.Jest != nil {
		return "jest"
	}
	for _, r := range jsRunners {
		if strings.Contains(m.Scripts["test"], r.script) {
			return r.name
		}
	}
	for _, r := range jsRunners {
		if m.wants(r.name) {
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
func (s *scan) jsTests(dir directory, rel string) {
	text := s.read(rel)
	framework := ""
	for _, imported := range submatches(jsImports, text) {
		if slices.Contains(otherRunners, imported) {
			return
		}
		for _, r := range jsRunners {
			if imported == r.imports {
				framework = r.name
			}
		}
	}
	for at := dir.rel; framework == ""; at = path.Dir(at) {
		if framework = s.runners[at]; at == "." {
			break
		}
	}
	if framework != "" {
		s.suite(Suite{Language: "javascript", Framework: framework, Path: dir.rel, Target: rel}, submatches(jsCalls, text))
	}
}
