//go:build linux

package generated

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

var (
	seeds = flag.Int("seeds", 1, "programs of each language, and four at least in the long run")
	from  = flag.Uint64("from", 1, "the first seed")
)

var dialects = []*dialect{python, golang, javascript, ruby, java, cpp, plainC, rust}

// What the tools say of programs made from a seed is what their interpreter knows.
func TestTruth(t *testing.T) {
	most := *seeds
	if testkit.IsLong() {
		most = max(most, 4)
	}
	for number, d := range dialects {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgram(t, "")
			if d.Files != nil {
				for name, text := range d.Files {
					p.Write(name, text)
				}
			}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Args: []string{"--no-store"}})
			for i := range uint64(most) {
				seed := *from + i
				t.Run(fmt.Sprint(seed), func(t *testing.T) { ask(t, s.For(t), p, d, seed, number) })
			}
		})
	}
}

// ask writes the program of a seed and puts questions about it: in the short run every third one,
// of the next languages the others.
func ask(t *testing.T, s *testkit.Server, in *testkit.Program, d *dialect, seed uint64, number int) {
	tree := Draw(seed, d.features)
	name := fmt.Sprintf("p%d", seed)
	file := d.File(name)
	if err := os.MkdirAll(filepath.Dir(filepath.Join(in.Dir, file)), 0o755); err != nil {
		t.Fatal(err)
	}
	in.Write(file, d.text(tree, name))
	a := newAsker(seed, d, tree, file)
	for i, q := range a.questions() {
		if *seeds == 1 && !testkit.IsLong() && i%3 != number%3 {
			continue
		}
		args := maps.Clone(q.Args)
		maps.Copy(args, d.Start(name))
		args["timeout_ms"] = 60_000
		tool := q.tool()
		if tool == "trace" {
			args["max_bytes"] = 40_000
			if args["limit"] == nil {
				args["limit"] = 1000
			}
		}
		r := s.Call(tool, args)
		if tool == "session_start" {
			s.Call("session", map[string]any{"action": "stop"})
		}
		asked, _ := json.Marshal(args)
		if code := r.At("error", "code"); code != "" && r.At("error") != "<nil>" {
			t.Logf("SCORE %s|%s|NO|%d", d.Name, q.Kind, len(q.Rows))
			t.Logf("NO %s %s %s", file, asked, r.Text)
			continue
		}
		var data json.RawMessage
		r.Decode(&data, "data")
		got, err := read(data)
		if err != nil {
			t.Fatal(err)
		}
		fault := q.judge(got)
		if fault != "" && strings.Contains(r.Text, "which is not all") {
			t.Logf("SCORE %s|%s|NO|%d", d.Name, q.Kind, len(q.Rows))
			continue
		}
		if tool == "trace" {
			sure(t, a, r.Text)
		}
		if fault == "" {
			t.Logf("SCORE %s|%s|RIGHT|%d", d.Name, q.Kind, len(q.Rows))
			continue
		}
		t.Logf("SCORE %s|%s|FALSE|%d", d.Name, q.Kind, len(q.Rows))
		t.Errorf("%s %s %s\n%s\n%s\nof\n%s", file, tool, asked, fault, r.Text, numbered(d.text(tree, name)))
	}
}

// sure holds the interpreter against the run: one that fails printed the checksum, and
// one that does not has compared it.
func sure(t *testing.T, a *asker, text string) {
	t.Helper()
	fails := strings.Contains(text, "exit code")
	if fails != (a.last.failed != nil) || fails && !strings.Contains(text, a.last.Out.String()) {
		t.Errorf("the interpreter has %s, failed: %v, and the run\n%s", a.last.Out.String(), a.last.failed != nil, text)
	}
}

func numbered(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%3d %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}
