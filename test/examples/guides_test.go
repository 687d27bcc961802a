//go:build linux

// Package examples holds the guides in docs to the programs of examples: each
// call that a guide shows is made, in order, on its program, and the reply must
// say what the guide says.
package examples

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.MainWithRaces(m)) }

// guides are the sections with calls in them, by the folder of their program.
var guides = map[string]map[string]string{
	"../README.md": {"An unknown project in two calls": "go/discount"},
	"debugging-go-with-an-agent.md": {
		"A panic": "go/menu", "A deadlock": "go/transfer", "A wrong result in a failing test": "go/discount",
	},
	"debugging-python.md":     {"A crash, and a fix tried while the program runs": "python", "A failing test": "python"},
	"debugging-javascript.md": {"A test that fails": "javascript", "An error that ends the program": "javascript"},
	"debugging-c-and-cpp.md":  {"A crash": "cpp", "A watched variable": "cpp", "What a function returns": "cpp"},
	"debugging-rust.md":       {"A test that fails": "rust", "A program": "rust"},
	"debugging-ruby.md":       {"An exception": "ruby", "A failing test": "ruby"},
	"custom-adapters.md":      {"What it looks like": "ruby"},
	"breakpoints.md":          {"Breakpoints that answer questions": "python"},
	"questions.md":            {"Where a value came from": "python", "What happened at a line": "python", "The first moment": "python", "Where two runs part": "python"},
	"diagnosing.md": {
		"A crash": "python", "A failing test": "go/discount", "A program that hangs": "go/transfer", "Does this change fix it?": "javascript",
	},
	"launch-configurations.md": {
		"What there is": "launch", "A program and its task": "launch", "The file that is open": "launch", "Several programs at once": "launch",
	},
	"attaching.md":      {"A running program": "attaching"},
	"debugging-java.md": {"A failing test, and a fix tried while it runs": "java"},
}

// beside are programs that run by themselves while the calls are made, by the folder
// that they lie in; they run in a copy of it that is not the workspace.
var beside = map[string][]string{"attaching": {"python3", "-u", "orders_worker.py"}}

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
				play(t, name, folder, calls)
			})
		}
	}
}

// call is one of a guide, with what the guide says that comes of it.
type call struct {
	tool    string
	args    map[string]any
	made    string // as the guide has it
	replied string // the lines after it
}

var block = regexp.MustCompile("(?s)```text\n(.*?)```")

// read finds the calls of a section: a line "→ tool {arguments}", which may go on
// in the next lines, and the reply after it, in which "…" stands for what is left out.
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
			c.made, c.replied = shown[:len(shown)-len(rest)+int(d.InputOffset())], rest[d.InputOffset():]
			calls = append(calls, c)
		}
	}
	return calls
}

// play makes the calls on a copy of the program.
func play(t *testing.T, guide, folder string, calls []call) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "example")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testkit.Root(), "examples", folder))); err != nil {
		t.Fatal(err)
	}
	if command := beside[folder]; command != nil {
		runBeside(t, folder, command)
	}
	s := testkit.Start(t, testkit.Options{Dir: dir, Env: []string{tables}})
	for _, c := range calls {
		switch c.tool {
		case "session_start", "diagnose", "trace", "why", "attempt":
			c.args["timeout_ms"] = longest
		}
		r := s.Call(c.tool, c.args)
		switch {
		case strings.TrimSpace(c.replied) == "": // its reply is left out
			r.Want("true", "success")
		case c.shows(r.Text):
		case testkit.Updating():
			c.write(t, guide, strings.ReplaceAll(r.Text, dir, "…"))
		default:
			t.Errorf("%s: the guide shows another reply (-want +got):\n%s", guide, cmp.Diff(c.replied, "\n"+r.Text+"\n"))
		}
	}
}

// runBeside starts a program in a copy of its folder, and waits for its first line.
func runBeside(t *testing.T, folder string, command []string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testkit.Root(), "examples", folder))); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(command[0], command[1:]...)
	program.Dir = dir
	out, err := program.StdoutPipe()
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill(); _ = program.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
}

// shows says that a reply is the one that the guide shows.
func (c *call) shows(reply string) bool {
	want := regexp.QuoteMeta(strings.TrimSpace(c.replied))
	return regexp.MustCompile("(?s)^" + strings.ReplaceAll(want, "…", ".*") + "$").MatchString(strings.TrimSpace(reply))
}

var writing sync.Mutex

// write puts the reply into the guide.
func (c *call) write(t *testing.T, guide, reply string) {
	t.Helper()
	writing.Lock()
	defer writing.Unlock()
	file := filepath.Join(testkit.Root(), "docs", guide)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	end := c.replied[len(strings.TrimRight(c.replied, "\n")):]
	anew := strings.Replace(string(text), "→ "+c.made+c.replied, "→ "+c.made+"\n"+reply+end, 1)
	if err := os.WriteFile(file, []byte(anew), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The program of the demonstration is the one of the guide.
func TestTheDemonstrationIsAnExample(t *testing.T) {
	t.Parallel()
	var texts []string
	for _, file := range []string{"examples/go/menu/main.go", "internal/commands/demo/_shop/main.go"} {
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
