//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatIsHeldAtALine holds what the source of a function says it has locked at the line "here()".
func TestWhatIsHeldAtALine(t *testing.T) {
	for body, want := range map[string]string{
		"a.Lock()\nhere()":                                                  "a",
		"a.Lock()\na.Unlock()\nhere()":                                      "",
		"a.Lock()\ndefer a.Unlock()\nhere()":                                "a",
		"a.RLock()\nhere()\na.RUnlock()":                                    "a r",
		"a.Lock()\nif x {\na.Unlock()\nreturn\n}\nhere()":                   "a",
		"a.Lock()\nif x {\na.Unlock()\n}\nhere()":                           "",
		"if x {\na.Lock()\n}\nhere()":                                       "",
		"if x {\na.Lock()\nhere()\n}":                                       "a",
		"if !a.TryLock() {\nreturn\n}\nhere()":                              "a",
		"if a.TryLock() {\nhere()\n}":                                       "a",
		"a.Lock()\nfor {\nhere()\na.Unlock()\na.Lock()\n}":                  "",
		"for {\na.Lock()\nhere()\na.Unlock()\n}":                            "a",
		"a.Lock()\na = b\nhere()":                                           "",
		"s.mu.Lock()\ns = other\nhere()":                                    "",
		"s.mu.Lock()\ngo func() {\nhere()\n}()":                             "",
		"a.Lock(); here()":                                                  "",
		"a.Lock()\nfunc() { a.Unlock() }()\nhere()":                         "",
		"a.Lock()\nswitch x {\ncase 1:\nb.Lock()\nhere()\n}":                "a, b",
		"a.Lock()\nselect {\ncase <-c:\nhere()\n}":                          "a",
		"a.Lock()\nagain:\nhere()\na.Unlock()\ngoto again":                  "",
		"defer here2()\ndefer a.Unlock()\na.Lock()\nreturn here()":          "",
		"defer a.Unlock()\na.Lock()\nreturn here()":                         "a",
		"a.Lock()\ngo func() { a.Unlock() }()\nhere()":                      "",
		"lockBoth()\nhere()":                                                "",
		"a.Lock(1)\nhere()":                                                 "",
		"a.Lock()\ndefer func() {\na.Unlock()\n}()\nhere()":                 "a",
		"b.Lock()\na.Lock()\nb.Unlock()\nhere()":                            "a",
		"a.Lock()\nif x {\nhere()\n} else {\na.Unlock()\n}":                 "a",
		"a.Lock()\nif x {\na.Unlock()\n} else {\nhere()\n}":                 "a",
		"a.Lock()\nfor _, v := range list {\nuse(v)\n}\nhere()":             "a",
		"a.Lock()\nfor _, v := range list {\na.Unlock()\nuse(v)\n}\nhere()": "",
	} {
		text := "package p\nfunc f() {\n" + body + "\n}\n"
		line := strings.Count(text[:strings.Index(text, "here()")], "\n") + 1
		file := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, held := range (sources{}).open(file).heldAt(line) {
			if held.read {
				held.expr += " r"
			}
			got = append(got, fmt.Sprint(held.expr))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q holds %q, want %q", body, strings.Join(got, ", "), want)
		}
	}
}
