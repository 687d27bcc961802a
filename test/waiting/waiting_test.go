//go:build linux

// Package waiting asks the built server who waits for what, of programs that hang in each
// language: testdata/LANGUAGE/waits.
package waiting

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// wait is one row that a reply must have.
type wait struct {
	At    string // a mark
	For   string // a part of what it waits for
	Held  string // a part of who holds that; empty: nobody is named
	Taken string // a mark; empty: no place
	Made  string // a mark; empty: not held
}

// kernel is a program that hangs, by the argument that names it.
type kernel struct {
	Name  string
	Rings int // of those that wait for each other
	Waits []wait
}

// tongue is how the programs of a language are built and started.
type tongue struct {
	Folder string
	File   string // where the marks are
	Build  []string
	Start  A
	// Limit is in milliseconds: where no lock tells that a wait is endless, all of it passes.
	Limit   int
	Kernels []kernel
	Long    []string // kernels of the long run
}

func TestWaits(t *testing.T) {
	for name, l := range tongues {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgramOf(t, l.Folder, "waits")
			if len(l.Build) > 0 {
				cmd := exec.Command(l.Build[0], l.Build[1:]...)
				cmd.Dir = p.Dir
				if text, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("building: %v\n%s", err, text)
				}
			}
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			for _, k := range l.Kernels {
				t.Run(k.Name, func(t *testing.T) {
					if slices.Contains(l.Long, k.Name) {
						testkit.Long(t, "it waits as another does, or its debugger waits out the whole time, as for others")
					}
					k.check(t, s.For(t), p.For(t), l)
				})
			}
		})
	}
}

// check asks twice: the diagnosis of a run that hangs, and the session that stands there.
func (k kernel) check(t *testing.T, s *testkit.Server, p *testkit.Program, l tongue) {
	t.Helper()
	ask := A{"args": []string{k.Name}, "timeout_ms": l.Limit, "keep": true}
	maps.Copy(ask, l.Start)
	told := s.OK("diagnose", ask).Want("deadlock", "data", "verdict")
	k.compare(t, told, p, l)
	k.compare(t, s.OK("inspect", A{"target": "waits"}), p, l)
	s.OK("session", A{"action": "stop"})
}

func (k kernel) compare(t *testing.T, told testkit.Reply, p *testkit.Program, l tongue) {
	t.Helper()
	var data struct {
		Cycles []string `json:"cycles"`
		Waits  []struct {
			Who      string `json:"who"`
			At       string `json:"at"`
			WaitsFor string `json:"waits_for"`
			HeldBy   string `json:"held_by"`
			TakenAt  string `json:"taken_at"`
			MadeAt   string `json:"made_at"`
		} `json:"waits"`
	}
	told.Decode(&data, "data")
	if len(data.Cycles) != k.Rings {
		t.Errorf("%d rings, want %d:\n%s", len(data.Cycles), k.Rings, told)
	}
	for _, want := range k.Waits {
		found := false
		for _, got := range data.Waits {
			held := got.HeldBy == "" && want.Held == "" || want.Held != "" && strings.Contains(got.HeldBy, want.Held)
			taken := got.TakenAt == "" && want.Taken == "" || want.Taken != "" && got.TakenAt == p.At(l.File, want.Taken)
			made := want.Made == "" || got.MadeAt == p.At(l.File, want.Made)
			found = found || got.At == p.At(l.File, want.At) && strings.Contains(got.WaitsFor, want.For) && held && taken && made
		}
		if !found {
			t.Errorf("no row of %+v in\n%s", want, told)
		}
	}
}
