package workspace

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	jsScripts = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}
	jsCalls   = pattern.New("(?m)^[ \\t]*(?:it|test)(?:\\.(?:only|concurrent))?\\s*\\(\\s*(?:'([^'\\\\\\n]+)'|\"([^\"\\\\\\n]+)\"|`([^`$\\\\\\n]+)`)")
	jsNode    = pattern.New(`['"]node:test['"]`)
	jsShebang = pattern.New(`^#![^\n]*\bnode\b`)
	// what "npm start" and the like run: the first file of a command of node's or one that runs TypeScript
	jsCommand = pattern.New(`\b(?:node|tsx|ts-node|nodemon|bun)\b(?:\s+-\S+)*\s+([\w./-]+\.(?:[cm]?[jt]s))\b`)
)

// npmManifest is what a package.json says of programs and tests.
type npmManifest struct {
	Description     string            `json:"description"`
	Main            string            `json:"main"`
	Exports         json.RawMessage   `json:"exports"`
	Module          string            `json:"module"`
	Types           string            `json:"types"`
	Typings         string            `json:"typings"`
	Files           []string          `json:"files"`
	Bin             json.RawMessage   `json:"bin"` // a path, or names with paths
	Scripts         map[string]string `json:"scripts"`
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// javascript looks for what a package says that it runs, for scripts that say it
// themselves, and for tests.
func (s *scan) javascript(dir directory) {
	add := func(rel, doc string) {
		if rel = s.script(rel); rel != "" {
			s.program(Program{Language: "javascript", Path: path.Dir(rel), Target: rel, File: rel, Line: 1, Doc: doc})
		}
	}
	if dir.has("package.json") {
		m := s.npm(join(dir.rel, "package.json"))
		s.packages[dir.rel] = m
		for _, file := range m.programs() {
			add(path.Join(dir.rel, file), sentence(m.Description))
		}
	}
	for _, name := range dir.files(jsScripts...) {
		rel := join(dir.rel, name)
		stem, _, _ := strings.Cut(name, ".")
		switch {
		case isJSTest(dir.rel, name):
			s.jsTests(dir, rel)
		case strings.HasSuffix(name, ".d.ts") || strings.Contains(name, ".config."):
		case s.namedProgram(dir.rel, name, stem):
			add(rel, "")
		case jsShebang.MatchString(s.read(rel)):
			add(rel, "")
		}
	}
}

// namedProgram says that a file is called as programs are, where no package says
// which they are. A file app.ts is more often for a browser.
func (s *scan) namedProgram(dir, name, stem string) bool {
	m := s.packageOf(dir)
	if m != nil && len(m.programs()) > 0 {
		return false
	}
	names := []string{"main", "server", "cli"}
	if m != nil && m.library() {
		return stem != "main" && slices.Contains(names, stem)
	}
	if strings.HasSuffix(name, "js") {
		names = append(names, "app", "index")
	}
	return slices.Contains(names, stem)
}

func (s *scan) npm(rel string) *npmManifest {
	m := &npmManifest{}
	_ = json.Unmarshal([]byte(s.read(rel)), m) // one that cannot be read says nothing
	return m
}

// programs are the files that a package names, those that its scripts run first.
func (m *npmManifest) programs() []string {
	var files []string
	for _, script := range []string{"start", "dev", "serve"} {
		if found := jsCommand.FindStringSubmatch(m.Scripts[script]); found != nil {
			files = append(files, found[1])
		}
	}
	var one string
	var many map[string]string
	if json.Unmarshal(m.Bin, &one) == nil {
		files = append(files, one)
	} else if json.Unmarshal(m.Bin, &many) == nil {
		var bins []string
		for _, file := range many {
			bins = append(bins, file)
		}
		slices.Sort(bins)
		files = append(files, bins...)
	}
	if m.Main != "" && !m.library() {
		files = append(files, m.Main)
	}
	return files
}

// library says that a package is made to be imported: its main file only defines.
func (m *npmManifest) library() bool {
	return len(m.Exports) > 0 || len(m.Files) > 0 || m.Module != "" || m.Types != "" || m.Typings != ""
}

// script is the file that a package means, its source where only that exists:
// dist/index.js is made of src/index.ts.
func (s *scan) script(rel string) string {
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	candidates := []string{rel, rel + ".js", rel + "/index.js", stem + ".ts"}
	for _, out := range []string{"dist/", "build/", "lib/", "out/"} {
		if before, after, ok := strings.Cut("/"+stem, "/"+out); ok {
			candidates = append(candidates, strings.TrimPrefix(before+"/src/"+after+".ts", "/"))
		}
	}
	for _, c := range candidates {
		if slices.Contains(jsScripts, path.Ext(c)) && s.exists(c) {
			return c
		}
	}
	return ""
}

// packageOf is the nearest package.json from a directory upwards, nil when there is none.
func (s *scan) packageOf(rel string) *npmManifest {
	for ; ; rel = path.Dir(rel) {
		if m := s.packages[rel]; m != nil || rel == "." {
			return m
		}
	}
}

func isJSTest(dir, name string) bool {
	return strings.Contains(name, ".test.") || strings.Contains(name, ".spec.") ||
		slices.Contains([]string{"__tests__", "test"}, path.Base(dir))
}

func (s *scan) jsTests(dir directory, rel string) {
	text := s.read(rel)
	framework := ""
	if m := s.packageOf(dir.rel); m != nil {
		for _, name := range []string{"vitest", "jest", "mocha"} {
			if _, used := m.DevDependencies[name]; used || m.Dependencies[name] != "" {
				framework = name
				break
			}
		}
	}
	if jsNode.MatchString(text) || framework == "" {
		framework = "node:test"
	}
	s.suite(Suite{Language: "javascript", Framework: framework, Path: dir.rel, Target: rel}, submatches(jsCalls, text))
}
