package testkit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A promise of the pages is held by a test: each that they name exists.
func TestNamedTestsExist(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	defined := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for _, pattern := range []string{"*/*_test.go", "*/*/*_test.go", "*/*/*/*_test.go"} {
		files, err := filepath.Glob(filepath.Join(Root(), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for _, m := range defined.FindAllStringSubmatch(read(t, file), -1) {
				tests[m[1]] = true
			}
		}
	}
	pages, err := filepath.Glob(filepath.Join(Root(), "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test[A-Z]\\w+)`")
	for _, page := range pages {
		if strings.HasPrefix(filepath.Base(page), "debugging-") { // their tests are those of examples
			continue
		}
		for _, m := range named.FindAllStringSubmatch(read(t, page), -1) {
			if !tests[m[1]] {
				t.Errorf("%s names %s, which does not exist", filepath.Base(page), m[1])
			}
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
