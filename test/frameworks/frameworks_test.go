//go:build linux

package frameworks

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.MainWithRaces(m)) }

// family are the samples of a language.
type family struct {
	Language string
	Samples  []sample
}

// families are in the order of the documentation.
var families = []family{goFamily, pythonFamily, javaScriptFamily, javaFamily, nativeFamily, rustFamily, rubyFamily}

func TestFrameworks(t *testing.T) {
	testkit.Adapters(t)
	var mu sync.Mutex
	played := map[*sample]string{}
	t.Run("start", func(t *testing.T) {
		for _, f := range families {
			for i := range f.Samples {
				x := &f.Samples[i]
				t.Run(f.Language+"/"+x.Name, func(t *testing.T) {
					t.Parallel()
					doc := x.play(t)
					mu.Lock()
					defer mu.Unlock()
					played[x] = doc.text
				})
			}
		}
	})
	if testkit.Updating() {
		writeDocumentation(t, played)
		return
	}
	checkDocumentation(t, played)
}

const head = `# How each framework is started

This page shows, for each framework, the call that starts it and its reply. ` + "`init`" + ` suggests the same call for your project; here a
breakpoint is added, and the program stops in your code. A test (` + "`test/frameworks`" + `) makes these calls on the projects in
` + "`testdata/frameworks`" + `. "…" stands for a directory that differs on your machine.

To debug a server, start it and wait for ` + "`listening`" + ` in the reply: on Linux ` + "`session_start`" + ` answers as soon as the program
accepts connections, and ` + "`listening`" + ` has the address. Give the request to ` + "`execute`" + ` with ` + "`action: \"wait\"`" + ` as its
` + "`trigger`" + `: it is sent, and the reply comes at the breakpoint, while the request waits for the program to go on ([triggers](running-programs.md#a-trigger-beside-the-wait)).
`

// writeDocumentation writes docs/frameworks.md anew; a sample that was not played
// keeps what is there.
func writeDocumentation(t *testing.T, played map[*sample]string) {
	t.Helper()
	before := documented(t)
	var page strings.Builder
	page.WriteString(head)
	for _, f := range families {
		fmt.Fprintf(&page, "\n## %s\n", f.Language)
		for i := range f.Samples {
			x := &f.Samples[i]
			text := played[x]
			if old := before[f.Language+"/"+x.Name]; text == "" || matches(old, text) {
				text = old
			}
			note := ""
			if x.Note != "" {
				note = "\n" + x.Note + "\n"
			}
			fmt.Fprintf(&page, "\n### %s\n%s\n```text\n%s```\n", x.Name, note, text)
		}
	}
	if err := os.WriteFile(documentPath(), []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func checkDocumentation(t *testing.T, played map[*sample]string) {
	t.Helper()
	want := documented(t)
	for _, f := range families {
		for i := range f.Samples {
			x := &f.Samples[i]
			if text, ran := played[x]; ran && !matches(want[f.Language+"/"+x.Name], text) {
				t.Errorf("docs/frameworks.md shows %s, %s otherwise; write it anew with -update (-want +got):\n%s",
					f.Language, x.Name, cmp.Diff(want[f.Language+"/"+x.Name], text))
			}
		}
	}
}

func documentPath() string { return filepath.Join(testkit.Root(), "docs", "frameworks.md") }

var section = regexp.MustCompile("(?s)\n### ([^\n]+)\n.*?```text\n(.*?)```\n")

// documented is what the page shows, by language and name.
func documented(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(documentPath())
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, part := range strings.Split("\n"+string(text), "\n## ")[1:] {
		language, rest, _ := strings.Cut(part, "\n")
		for _, m := range section.FindAllStringSubmatch("\n"+rest, -1) {
			found[language+"/"+m[1]] = m[2]
		}
	}
	return found
}

// variable are the parts of replies that differ from run to run or from machine to machine.
var variable = []*regexp.Regexp{
	regexp.MustCompile(`\b\d+(?:\.\d+)?(?: ?ms|s)\b`),
	regexp.MustCompile(`(?:127\.0\.0\.1|localhost|\[::1?\]|0\.0\.0\.0):\d{4,5}\b`),
	regexp.MustCompile(`(?:thread|goroutine|process) \[?\d+`),
	regexp.MustCompile(`0x[0-9a-f]{6,}`),
	regexp.MustCompile(`@[0-9a-f]{1,8}\b`),
	regexp.MustCompile(`[A-Z][a-z]+ \d{1,2}, \d{4} - \d\d:\d\d:\d\d`),
	regexp.MustCompile(`/(?:tmp|usr|root|home)/[^\s"',;)\]]+`),
	regexp.MustCompile(`\b(?:Rails |Sinatra \(v)\d[\d.]*`),           // the system's
	regexp.MustCompile(`(?m)^ (?:Puma starting|\* |Use Ctrl-C).*\n`), // some of it comes once it listens
}

func varying(text string) string {
	for _, v := range variable {
		text = v.ReplaceAllString(text, "…")
	}
	return text
}

// matches says that a text is as the page has it, but for what varies.
func matches(page, text string) bool {
	page, text = varying(page), varying(text)
	parts := strings.Split(page, "…")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("(?s)^" + strings.Join(parts, ".*") + "$").MatchString(text)
}
