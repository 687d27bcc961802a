//go:build linux

package benchmarks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// What diagnose says of programs of others is true.
func TestBenchmarks(t *testing.T) {
	testkit.Adapters(t)
	table := &table{}
	t.Run("sets", func(t *testing.T) {
		for _, s := range sets {
			t.Run(s.Name, func(t *testing.T) {
				t.Parallel()
				if !slices.Contains(short, s.Name) {
					testkit.Long(t, "it proves a figure, and its programs take longer to make than to ask about; test/diagnosing has faults of each language")
				}
				s.run(t, table)
			})
		}
	})
	t.Logf("what diagnose says of programs of others\n%s", table)
	if testkit.Updating() && testkit.IsLong() && len(table.rows) == len(sets) {
		if err := os.WriteFile(scores, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// short are the sets of the short run.
var short = []string{"python-humaneval", "javascript", "go-checks"}

// run asks about each program of a set.
func (s set) run(t *testing.T, table *table) {
	limit := max(s.Few, 1)
	if testkit.IsLong() {
		limit = 1000
	}
	programs := s.made(t, limit)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < len(programs); from += share {
		batch := programs[from:min(from+share, len(programs))]
		t.Run(fmt.Sprint("from ", from), func(t *testing.T) {
			server := testkit.Start(t, testkit.Options{Dir: dir, Args: []string{"--no-store"}})
			for _, p := range batch {
				folder := fmt.Sprintf("p%d_%s", from, p.Name)
				p.write(t, filepath.Join(dir, folder))
				t.Run(p.Name, func(t *testing.T) { s.try(t, server, p, folder, table) })
			}
		})
	}
}

// share is how many programs one server is asked about.
const share = 15

// try asks about one program and scores the reply.
func (s set) try(t *testing.T, server *testkit.Server, p program, folder string, table *table) {
	reply := server.Call("diagnose", p.ask(folder))
	var a answer
	if text := reply.At("data"); text != "" {
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	if p.Oracle != "" && !p.True.OK {
		p.True.consult(t, filepath.Join(server.Dir, folder, p.Oracle), a)
	}
	g, reasons := p.True.score(a)
	table.count(s, g)
	switch {
	case g == wrong:
		t.Errorf("FALSE: %s\nplanted: %s\n> %s\n%s", strings.Join(reasons, "; "), p.Fault, reply.Call, reply.Text)
	case g != right:
		t.Logf("%s: %s\nplanted: %s\n> %s\n%s", g, strings.Join(reasons, "; "), p.Fault, reply.Call, reply.Text)
	}
}

// table counts the scores.
type table struct {
	mu   sync.Mutex
	rows map[string]*row
}

type row struct {
	set    set
	grades map[grade]int
}

func (t *table) count(s set, g grade) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.rows == nil {
		t.rows = map[string]*row{}
	}
	if t.rows[s.Name] == nil {
		t.rows[s.Name] = &row{set: s, grades: map[grade]int{}}
	}
	t.rows[s.Name].grades[g]++
}

// String is the table for people, in the order of the sets.
func (t *table) String() string {
	grades := []grade{right, partly, unknown, wrong}
	var out strings.Builder
	out.WriteString("| language | programs | asked | right | partly | honest no | false |\n|---|---|---|---|---|---|---|\n")
	total := map[grade]int{}
	all := 0
	for _, s := range sets {
		r := t.rows[s.Name]
		if r == nil {
			continue
		}
		n := 0
		for _, g := range grades {
			n += r.grades[g]
			total[g] += r.grades[g]
		}
		all += n
		fmt.Fprintf(&out, "| %s | %s | %d |%s\n", s.Language, s.Title, n, cells(r.grades, grades))
	}
	fmt.Fprintf(&out, "| all | | %d |%s\n", all, cells(total, grades))
	return out.String()
}

func cells(of map[grade]int, grades []grade) string {
	var out strings.Builder
	for _, g := range grades {
		fmt.Fprintf(&out, " %d |", of[g])
	}
	return out.String()
}

// Names tell programs and sets apart, and each set has its words.
func TestSets(t *testing.T) {
	var names []string
	for _, s := range sets {
		if slices.Contains(names, s.Name) || s.Title == "" || s.Language == "" {
			t.Errorf("%q: its name is taken, or it lacks words", s.Name)
		}
		names = append(names, s.Name)
	}
}
