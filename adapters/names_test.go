package adapters

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// languages are words for a language, a debugger or a test framework.
var languages = regexp.MustCompile(`(?i)\b(?:python|java|javascript|typescript|golang|rust|ruby|debugpy|delve|gdb|lldb|codelldb|rdbg|pytest|unittest|jest|vitest|mocha|junit|testify|rspec|minitest|catch2|googletest|cargo|maven|npm)\b`)

// allowed are paths of libraries, which are no knowledge of a language.
var allowed = regexp.MustCompile(`golang\.org/|github\.com/go-delve/[\w/.-]+`)

// nameless are the rooms in which not even a comment names one.
var nameless = []string{"session", "investigate", "handlers"}

// named are the files and folders whose code names languages all the same, each with the
// reason why that is none of the adapters'.
var named = map[string]string{
	"adapters/install/fetch.go":           "the package clients that users have (pip, npm, Maven) serve any language",
	"adapters/observe/profiler/memory.go": "what is said of programs of machine code, of which several adapters are",
	"adapters/probe.go":                   "the protocols that are told apart at a port before a language is known",
	"cmd/aidb-mcp/adapters_change.go":     "examples in a command's help",
	"cmd/aidb-mcp/main.go":                "this binary is the process of Delve's adapter",
	"cmd/aidb-mcp/root.go":                "the list of languages",
	"cmd/aidb-mcp/version.go":             "what this binary is made of",
	"internal/fault/shortage.go":          "the words of a machine that lacks something, whoever says them",
	"internal/project/launch":             "the types of editors' configurations, as the editors write them",
	"internal/project/source/location.go": "extensions that tell a file's name from a function's",
	"internal/text/exprsyntax":            "the notations that several adapters choose from",
	"packaging":                           "the registries and formats in which this program is published",
	"tools":                               "examples for agents",
}

// What one language writes, its adapter says: neither the engine nor what is concluded, nor
// how a tool answers, knows one by name; and of the rest of the tree only what is listed here.
func TestNoLanguageByName(t *testing.T) {
	files, used := map[string]int{}, map[string]bool{}
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(filepath.ToSlash(file), "../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && isOfLanguages(name, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		room, _, _ := strings.Cut(name, "/")
		files[room]++
		for line, word := range languagesIn(string(text), slices.Contains(nameless, room)) {
			if place := placeOf(name); place != "" {
				used[place] = true
				continue
			}
			t.Errorf("%s:%d names %s", name, line, word)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range append(slices.Clone(nameless), "adapters", "cmd", "dap", "internal", "responses", "tools") {
		if files[room] == 0 {
			t.Errorf("no file of %s was read", room)
		}
	}
	for place := range named {
		if !used[place] {
			t.Errorf("%s names no language: take it out of the list", place)
		}
	}
}

// isOfLanguages says that a folder is an adapter's, or holds tests and what they need.
func isOfLanguages(name, base string) bool {
	own, nested := strings.CutPrefix(name, "adapters/")
	return nested && !strings.Contains(own, "/") && !slices.Contains(shared, own) ||
		slices.Contains([]string{"test", "testdata", "examples", "docs", "internal/testkit", ".ci"}, name) ||
		base == "testdata" || base != ".." && strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

// placeOf is the entry of the list that a file is under, empty if it is under none.
func placeOf(name string) string {
	for ; name != "."; name = path.Dir(name) {
		if _, is := named[name]; is {
			return name
		}
	}
	return ""
}

// languagesIn finds the words by their lines: in the code, without its imports, or in comments too.
func languagesIn(text string, comments bool) map[int]string {
	found := map[int]string{}
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return found
		}
		if kind == token.COMMENT && !comments || strings.HasPrefix(literal, `"aidb-mcp/`) {
			continue
		}
		if word := languages.FindString(allowed.ReplaceAllString(literal, "")); word != "" {
			found[file.Line(pos)] = word
		}
	}
}
