//go:build linux

// Package soak keeps one server busy for long, with sessions in all languages,
// steps, evaluations and ends of every kind, and compares the last third of the
// time with the first: memory, descriptors, processes, files and the latency of
// a cheap call must be steady.
//
//	go test ./test/soak -for 30m -timeout 40m
//
// Without -for some seconds are enough to see that nothing is left; steady is what
// takes a minute.
package soak

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A shortens the arguments of calls.
type A = testkit.A

var (
	length = flag.Duration("for", 6*time.Second, "how long the server is kept busy; with AIDB_LONG a minute at least")
	seed   = flag.Uint64("seed", 1, "where the random part begins")
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

const (
	workers   = 2 // agents at the same time
	callLimit = 2 * time.Minute
)

func TestSteady(t *testing.T) {
	testkit.Adapters(t)
	s := testkit.Start(t, testkit.Options{Env: []string{
		testkit.CustomTables(),
		"PATH=" + filepath.Join(testkit.Home(), "gdb", "bin") + ":" + os.Getenv("PATH"),
	}})
	agents := make([]*agent, workers)
	for i := range agents {
		agents[i] = newAgent(t, s, i)
	}
	if err := agents[0].debug("javascript", &journal{}); err != nil { // which has the private directory made
		t.Fatal(err)
	}
	before := descriptors(s)
	if testkit.IsLong() {
		*length = max(*length, steady)
	}
	ctx, cancel := context.WithTimeout(t.Context(), *length)
	defer cancel()
	begun, log := time.Now(), &journal{}
	var busy sync.WaitGroup
	for _, a := range agents {
		busy.Go(func() {
			for ctx.Err() == nil {
				if err := a.session(log); err != nil {
					t.Errorf("%v: %v", a.last, err)
				}
			}
		})
	}
	watch(ctx, s, log)
	busy.Wait()

	first, last := log.thirds()
	fmt.Fprintf(os.Stderr, "%d sessions, %d calls in %v, -seed %d\n        %v\n        %v\n", log.sessions, log.calls, time.Since(begun).Round(time.Second), *seed, first, last)
	if why := last.grownFrom(first); why != "" && *length >= steady {
		t.Errorf("not steady: %s", why)
	}
	testkit.NoneLeft(t, 30*time.Second, func() []testkit.Proc { return testkit.Descendants(s.PID()) })
	s.NothingLeft(30 * time.Second)
	testkit.Eventually(t, 30*time.Second, fmt.Sprintf("no more than %d descriptors", before), func() bool { return descriptors(s) <= before })
	if n := s.Goroutines(); n > idle {
		t.Errorf("%d goroutines are left", n)
	} else {
		fmt.Fprintf(os.Stderr, "%d goroutines when nothing is debugged\n", n)
	}
}

// steady is how long it takes until what a server keeps no longer grows from what it
// needs; in less only what is left of its sessions is counted.
const steady = time.Minute

// idle is the most goroutines of a server that debugs nothing; there are 18, with
// those of the runtime.
const idle = 25

// agent debugs one program after another.
type agent struct {
	id       int
	server   *testkit.Server
	random   *rand.Rand
	programs map[string]*testkit.Program
	last     string // what it debugs
	n        int
}

func newAgent(t *testing.T, s *testkit.Server, id int) *agent {
	a := &agent{id: id, server: s, random: rand.New(rand.NewPCG(*seed, uint64(id))), programs: map[string]*testkit.Program{}}
	for name, l := range languages {
		p := testkit.NewProgramOf(t, l.folder, "pest")
		p.Write("pest.sh", "exit 0\n")
		a.programs[name] = p
	}
	return a
}

// session debugs a program of some language.
func (a *agent) session(log *journal) error { return a.debug(names[a.random.IntN(len(names))], log) }

// debug starts a program up to a line, looks at it, steps, and ends it.
func (a *agent) debug(name string, log *journal) error {
	l, p := languages[name], a.programs[name]
	a.n++
	id := fmt.Sprintf("agent-%d-%d", a.id, a.n)
	a.last = id + " in " + name
	start := A{
		"target": filepath.Join(p.Dir, l.target), "cwd": p.Dir, "session_id": id, "args": []string{"stay", id}, "timeout_ms": 60_000,
		"breakpoints": []A{{"file": filepath.Join(p.Dir, l.file), "line": p.Line(l.mark)}},
	}
	if l.options != nil {
		start["adapter_options"] = l.options
	}
	r, err := a.call(log, "session_start", start)
	if err != nil {
		return err
	}
	if r.Status() != "stopped_at_breakpoint" {
		return fmt.Errorf("it did not stop:\n%s", r)
	}
	for range 2 + a.random.IntN(6) {
		tool, args := "step", A{}
		switch a.random.IntN(4) {
		case 0:
			tool, args = "inspect", A{"expression": l.expression}
		case 1:
			tool, args = "inspect", A{"target": "all"}
		case 2:
			tool = "execute"
		}
		args["session_id"] = id
		if r, err = a.call(log, tool, args); err != nil {
			return err
		}
		if r.IsError {
			return fmt.Errorf("it failed:\n%s", r)
		}
	}
	if a.random.IntN(4) == 0 {
		if r, err = a.call(log, "session", A{"action": "restart", "session_id": id, "timeout_ms": 60_000}); err != nil {
			return err
		}
		if r.IsError {
			return fmt.Errorf("the restart:\n%s", r)
		}
	}
	if r, err = a.call(log, "session", A{"action": "stop", "session_id": id}); err == nil && r.IsError {
		err = fmt.Errorf("the end:\n%s", r)
	}
	log.ended()
	return err
}

func (a *agent) call(log *journal, tool string, args A) (testkit.Reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	log.called()
	return a.server.CallContext(ctx, tool, args)
}
