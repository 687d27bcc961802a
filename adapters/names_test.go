package adapters

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// languages are words for a language, a debugger or a test framework.
var languages = regexp.MustCompile(`(?i)\b(?:python|java|javascript|typescript|golang|rust|ruby|debugpy|delve|gdb|lldb|codelldb|rdbg|pytest|unittest|jest|vitest|mocha|junit|testify|rspec|minitest|catch2|googletest|cargo|maven|npm)\b`)

// allowed names a path of a library, which is no knowledge of a language.
var allowed = regexp.MustCompile(`golang\.org/`)

// What one language writes, its adapter says: neither the engine nor what is concluded, nor
// how a tool answers, knows one by name.
func TestNoLanguageByName(t *testing.T) {
	for _, room := range []string{"../session", "../investigate", "../handlers"} {
		files := 0
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				if word := languages.FindString(allowed.ReplaceAllString(line, "")); word != "" {
					t.Errorf("%s:%d names %s: %s", path, i+1, word, strings.TrimSpace(line))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if files == 0 {
			t.Errorf("no file of %s was read", room)
		}
	}
}
