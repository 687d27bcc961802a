//go:build linux

// Package examples holds the guides in docs to the programs of examples: each
// call that a guide shows is made, in order, on its program, and the reply must
// say what the guide says.
package examples

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.MainWithRaces(m)) }

// guides are the sections with calls in them, by the folder of their program.
var guides = map[string]map[string]string{
	"debugging-go-with-an-agent.md": {
		"A panic": "go/menu", "A deadlock": "go/transfer", "A wrong result in a failing test": "go/discount",
	},
	"debugging-python.md":     {"A crash, and its remedy tried while the program runs": "python", "A failing test": "python"},
	"debugging-javascript.md": {"A test that fails": "javascript", "An error that ends the program": "javascript"},
	"debugging-c-and-cpp.md":  {"A crash": "cpp", "A watched variable": "cpp", "What a function returns": "cpp"},
	"debugging-rust.md":       {"A test that fails": "rust", "A program": "rust"},
	"custom-adapters.md":      {"What it looks like": "ruby"},
	"breakpoints.md":          {"Breakpoints that answer questions": "python"},
	"questions.md":            {"Where a value came from": "python", "What happened at a line": "python", "Where two runs part": "python"},
	"debugging-java.md":       {"A failing test, and its remedy tried while it runs": "java"},
}

// tables is the settings file with the table for Ruby.
var tables = testkit.CustomTables()

// longest is how long a start may take that builds, or fetches a test framework.
const longest = 120_000

func TestGuides(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for name, folders := range guides {
		text, err := os.ReadFile(filepath.Join(testkit.Root(), "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n#"+string(text), "\n## ")[1:] {
			title, body, _ := strings.Cut(part, "\n")
			calls := read(t, body)
			folder, listed := folders[title]
			if len(calls) == 0 && !listed {
				continue
			}
			t.Run(folder+"/"+title, func(t *testing.T) {
				t.Parallel()
				if len(calls) == 0 || !listed {
					t.Fatalf("%s: %q has %d calls, and its folder is %q", name, title, len(calls), folder)
				}
				play(t, folder, calls)
			})
		}
	}
}

// call is one of a guide, with what the guide says that comes of it.
type call struct {
	tool    string
	args    map[string]any
	replied string
}

var block = regexp.MustCompile("(?s)```text\n(.*?)```")

// read finds the calls of a section: a line "→ tool {arguments}", which may go on
// in the next lines, and the reply after it.
func read(t *testing.T, section string) (calls []call) {
	t.Helper()
	for _, m := range block.FindAllStringSubmatch(section, -1) {
		for _, shown := range strings.Split("\n"+m[1], "\n→ ")[1:] {
			c := call{tool: shown[:strings.IndexByte(shown, ' ')]}
			rest := strings.TrimPrefix(shown, c.tool)
			d := json.NewDecoder(strings.NewReader(rest))
			d.UseNumber()
			if err := d.Decode(&c.args); err != nil {
				t.Fatalf("the call %.60q: %v", shown, err)
			}
			c.replied = rest[d.InputOffset():]
			calls = append(calls, c)
		}
	}
	return calls
}

// said finds a member of a reply as guides print it: as JSON, shortened or not, or
// the summary alone in its first line.
func said(reply, member string) (text string, ok bool) {
	if line, _, _ := strings.Cut(strings.TrimSpace(reply), "\n"); member == "summary" && line != "" && line[0] != '{' {
		return line, true
	}
	m := regexp.MustCompile(`"` + member + `": ?("(?:[^"\\]|\\.)*")`).FindStringSubmatch(reply)
	if m == nil {
		return "", false
	}
	text, err := strconv.Unquote(m[1])
	return text, err == nil
}

// play makes the calls on a copy of the program.
func play(t *testing.T, folder string, calls []call) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "example")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testkit.Root(), "examples", folder))); err != nil {
		t.Fatal(err)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{tables}})
	for _, c := range calls {
		switch c.tool {
		case "session_start", "trace", "why":
			c.args["timeout_ms"] = longest
		}
		r := s.Call(c.tool, c.args)
		if summary, shown := said(c.replied, "summary"); shown {
			r.Want(summary, "summary")
		} else {
			r.Want("true", "success") // its reply is left out
		}
		if c.tool == "trace" || c.tool == "why" {
			sameData(t, c, r)
			continue
		}
		for _, member := range []string{"location", "function"} {
			if want, shown := said(c.replied, member); shown {
				r.Want(want, "data", member)
			}
		}
		if want, shown := said(c.replied, "message"); shown && strings.Contains(c.replied, `"code"`) {
			r.Want(want, "error", "message")
		}
	}
}

// sameData holds the members of a reply's data that a guide shows, each as a whole,
// against the reply; one that is shown in part has "…" in it.
func sameData(t *testing.T, c call, r testkit.Reply) {
	t.Helper()
	for _, member := range []string{"value", "chain", "writes", "columns", "rows", "hits", "first_difference"} {
		_, rest, shown := strings.Cut(c.replied, `\n"`+member+`": `)
		if !shown {
			continue
		}
		var want, got any
		if err := json.NewDecoder(strings.NewReader(rest)).Decode(&want); err != nil {
			if !strings.Contains(rest, "…") {
				t.Errorf("%s of %s: %v", member, c.tool, err)
			}
			continue
		}
		r.Decode(&got, "data", member)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the guide shows another %s than\n%s\n%s", member, r, diff)
		}
	}
}

// The program of the demonstration is the one of the guide.
func TestTheDemonstrationIsAnExample(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, file := range []string{"examples/go/menu/main.go", "internal/demo/_shop/main.go"} {
		text, err := os.ReadFile(filepath.Join(testkit.Root(), file))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("examples/go/menu is not the program that aidb-mcp demo debugs")
	}
}
