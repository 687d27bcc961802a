//go:build linux

package languages

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"aidb-mcp/internal/testkit"
)

// crowd is a program of several threads that reach one line together, each of
// them turns times: a function with worker and turn in its scope.
type crowd struct {
	name    string
	file    string
	source  string
	line    int
	equals  string // how turn is compared with 3
	workers int
	adapter string // the debugger, where there are several
}

const turns = 5

var crowds = []crowd{
	{name: "cpp", file: "crowd.cpp", line: 6, equals: "turn == 3", workers: 8, source: `#include <thread>
#include <vector>
#include <atomic>
static std::atomic<int> total{0};
static void reach(int worker, int turn) {
    total += worker + turn > -1;
}
int main() {
    std::vector<std::thread> crew;
    for (int worker = 0; worker < 8; worker++)
        crew.emplace_back([worker] { for (int turn = 0; turn < 5; turn++) reach(worker, turn); });
    for (auto &t : crew) t.join();
}
`},
	{name: "rust", file: "crowd.rs", line: 4, equals: "turn == 3", workers: 8, source: `use std::sync::atomic::{AtomicUsize, Ordering};
static TOTAL: AtomicUsize = AtomicUsize::new(0);
fn reach(worker: usize, turn: usize) {
    TOTAL.fetch_add(worker + turn, Ordering::SeqCst);
}
fn main() {
    let crew: Vec<_> = (0..8).map(|worker| std::thread::spawn(move || for turn in 0..5 { reach(worker, turn) })).collect();
    for t in crew { t.join().unwrap(); }
}
`},
	{name: "go", file: "main.go", line: 11, equals: "turn == 3", workers: 8, source: `package main

import (
	"sync"
	"sync/atomic"
)

var total atomic.Int64

func reach(worker, turn int) {
	total.Add(int64(worker + turn))
}

func main() {
	var crew sync.WaitGroup
	for worker := range 8 {
		crew.Go(func() {
			for turn := range 5 {
				reach(worker, turn)
			}
		})
	}
	crew.Wait()
}
`},
	{name: "python", file: "crowd.py", line: 5, equals: "turn == 3", workers: 8, source: `import threading


def reach(worker, turn):
    return worker + turn


def work(worker):
    for turn in range(5):
        reach(worker, turn)


crew = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in crew:
    t.start()
for t in crew:
    t.join()
`},
	{name: "java", file: "Crowd.java", line: 6, equals: "turn == 3", workers: 8, source: `import java.util.concurrent.atomic.AtomicInteger;

public class Crowd {
    static final AtomicInteger total = new AtomicInteger();
    static void reach(int worker, int turn) {
        total.addAndGet(worker + turn);
    }
    public static void main(String[] args) throws InterruptedException {
        Thread[] crew = new Thread[8];
        for (int i = 0; i < crew.length; i++) {
            int worker = i;
            crew[i] = new Thread(() -> { for (int turn = 0; turn < 5; turn++) reach(worker, turn); });
            crew[i].start();
        }
        for (Thread t : crew) t.join();
    }
}
`},
	{name: "javascript", file: "crowd.js", line: 4, equals: "turn === 3", workers: 4, source: `const { Worker, isMainThread, workerData } = require("worker_threads");

function reach(worker, turn) {
  return worker + turn;
}

if (isMainThread) {
  for (let worker = 0; worker < 4; worker++) new Worker(__filename, { workerData: worker });
} else {
  for (let turn = 0; turn < 5; turn++) reach(workerData, turn);
}
`},
}

// TestHitsTogether: of threads that reach a breakpoint in the same moment each is
// a hit of its own: for log messages, hit conditions, conditions and stops that
// are shown.
func TestHitsTogether(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, c := range crowds {
		list := []string{""}
		switch {
		case c.name == "cpp", c.name == "rust" && testkit.IsLong(): // whose debuggers are the same, and count in the same way
			list = debuggers()[:testkit.Rounds(1, len(debuggers()))]
		case c.name == "rust":
			list = nil
		}
		for _, debugger := range list {
			c.adapter = debugger
			t.Run(c.name+"/"+debugger, func(t *testing.T) {
				t.Parallel()
				c.run(t)
			})
		}
	}
}

func (c crowd) run(t *testing.T) {
	t.Helper()
	p := testkit.NewProgram(t, "")
	p.Write(c.file, c.source)
	if c.name == "go" {
		p.Write("go.mod", "module crowd\n\ngo 1.25\n")
	}
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: withGDB()})
	all := c.workers * turns
	c.ends(s.OK("session_start", c.args(A{"log_message": "{worker} of {turn}"})), all)
	switch {
	case c.adapter != "":
		c.stops(t, s, A{"hit_condition": "%7"}, all/7, all)
	case c.name == "javascript": // every worker counts for itself
		c.stops(t, s, A{"hit_condition": "%4"}, c.workers, c.workers)
	default: // the adapter counts, and tells only of what it stops at
		c.stops(t, s, A{"hit_condition": "%7"}, all/7, all/7)
	}
	if c.name == "javascript" && !testkit.IsLong() { // where each worker is told apart already
		return
	}
	if c.name == "python" { // debugpy may miss one or two of these
		return
	}
	c.stops(t, s, A{"condition": c.equals}, c.workers, c.workers)
	if c.name == "go" || testkit.IsLong() { // what is held back of other threads is shown in the same way
		c.stops(t, s, A{}, all, all)
	}
}

func (c crowd) args(breakpoint A) A {
	breakpoint["file"], breakpoint["line"] = c.file, c.line
	a := A{"target": c.file, "breakpoints": []A{breakpoint}, "show": []string{"worker", "turn"}, "timeout_ms": startLimit}
	if c.adapter != "" {
		a["adapter_options"] = A{"debugger": c.adapter}
	}
	return a
}

// stops wants a program to stop that often, nowhere twice with the same worker and
// turn, and that many hits at its end.
func (c crowd) stops(t *testing.T, s *testkit.Server, breakpoint A, stops, hits int) {
	t.Helper()
	r := s.OK("session_start", c.args(breakpoint))
	seen := map[string]int{}
	for r.Status() != "terminated" {
		r.Stopped("stopped_at_breakpoint", fmt.Sprintf("%s:%d", c.file, c.line))
		seen[r.At("data", "show", "worker", "v")+" of "+r.At("data", "show", "turn", "v")]++
		r = s.OK("execute", A{"timeout_ms": startLimit})
	}
	if len(seen) != stops {
		t.Errorf("%v: %d different stops, want %d: %v", breakpoint, len(seen), stops, slices.Sorted(maps.Keys(seen)))
	}
	for at, n := range seen {
		if n > 1 {
			t.Errorf("%v: %d stops of %s", breakpoint, n, at)
		}
	}
	c.ends(r, hits)
}

func (c crowd) ends(r testkit.Reply, hits int) {
	r.Want("terminated", "data", "execution_state", "status")
	r.Want(fmt.Sprint(hits), "data", "hits", "1")
}
