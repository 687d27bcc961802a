//go:build linux

package cases

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// TestClaims asks about every program of testdata/cases/LANGUAGE.
func TestClaims(t *testing.T) {
	testkit.Adapters(t)
	folders, err := os.ReadDir(filepath.Join(testkit.Root(), "testdata", "cases"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(testkit.Root(), "testdata", "cases", folder.Name(), "*.txtar"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no claims: %v", err)
			}
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					claimOf(t, file).try(t)
				})
			}
		})
	}
}

func claimOf(t *testing.T, file string) *claim {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parse(archive)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return c
}

// try makes the program and asks the questions.
func (c *claim) try(t *testing.T) {
	if !c.Short {
		testkit.Long(t, "it is one of many of its kind")
	}
	p := testkit.NewProgram(t, "")
	for _, f := range c.Files {
		p.Write(f.Name, string(f.Data))
	}
	testkit.LinkPackages(t, p.Dir, c.Needs...)
	servers := map[bool]*testkit.Server{} // by whether they find the tests' gdb, which they would take by themselves
	gdb := false
	for _, s := range c.Steps {
		if s.Shell != "" {
			run(t, p.Dir, s.Shell)
			continue
		}
		if s.begins() {
			gdb = strings.Contains(s.Arguments, `"debugger":"gdb"`)
		}
		if servers[gdb] == nil {
			o := testkit.Options{Dir: filepath.Join(p.Dir, c.In), Args: []string{"--no-store"}}
			if gdb {
				o.Env = withGDB()
			}
			servers[gdb] = testkit.Start(t, o)
		}
		c.ask(t, p, servers[gdb], s)
	}
}

// begins says that a step starts a program; others are put to the one that runs.
func (s step) begins() bool {
	return s.Tool != "session" && (strings.Contains(s.Arguments, `"target"`) || strings.Contains(s.Arguments, `"test"`))
}

// withGDB is the environment in which the gdb of the tests is found.
func withGDB() []string {
	return []string{"PATH=" + filepath.Join(testkit.Home(), "gdb", "bin") + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// ask makes one call and holds the answer against what is true.
func (c *claim) ask(t *testing.T, p *testkit.Program, server *testkit.Server, s step) {
	t.Helper()
	var arguments testkit.A
	if err := json.Unmarshal([]byte(numbered(p, s.Arguments)), &arguments); err != nil {
		t.Fatal(err)
	}
	r := server.Call(s.Tool, arguments)
	for _, expression := range s.Says {
		if !regexp.MustCompile("(?m)" + numbered(p, expression)).MatchString(r.Text) {
			t.Errorf("%s must say %s\nfor %s\n%s", s.Tool, numbered(p, expression), c.Truth, r.Text)
		}
	}
	for _, expression := range s.Never {
		if found := regexp.MustCompile("(?m)" + numbered(p, expression)).FindString(r.Text); found != "" {
			t.Errorf("%s says %q, which is false: %s\n%s", s.Tool, found, c.Truth, r.Text)
		}
	}
}

// numbered has the numbers of lines in place of their marks.
func numbered(p *testkit.Program, text string) string {
	return marks.ReplaceAllStringFunc(text, func(mark string) string {
		if n, known := p.Marks[strings.Trim(mark, "<>")]; known {
			return strconv.Itoa(n)
		}
		return mark // of the program's own language: <module>, a type's argument
	})
}

func run(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
}

func TestAClaimThatExpectsNothingIsRefused(t *testing.T) {
	for text, why := range map[string]string{
		"truth: it is 5\n":                              "it asks nothing",
		"diagnose {}\nsays 5\n":                         "it does not say what is true",
		"truth: it is 5\ndiagnose {}\n":                 "nothing is expected",
		"truth: it is 5\nsays 5\n":                      "stands behind no call",
		"truth: it is 5\ndiagnose {\nsays 5\n":          "no JSON",
		"truth: it is 5\ndiagnose {}\nsays (\n":         "missing closing",
		"truth: it is 5\nsh true\nnever 6\ndiagnose {}": "stands behind no call",
	} {
		if _, err := parse(txtar.Parse([]byte(text))); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
}
