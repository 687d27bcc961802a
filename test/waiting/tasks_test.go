//go:build linux

package waiting

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// paused starts a program and pauses it where so many of it wait, which is soon.
func paused(t *testing.T, s *testkit.Server, start A, waits int) testkit.Reply {
	t.Helper()
	start["timeout_ms"], start["stop_on_entry"] = 90_000, true
	s.OK("session_start", start)
	for end := time.Now().Add(2 * time.Minute); ; {
		s.OK("execute", A{"action": "continue", "timeout_ms": 300})
		s.OK("execute", A{"action": "pause", "timeout_ms": 60_000})
		told := s.OK("inspect", A{"target": "waits"})
		if strings.Count(told.String(), `"waits_for"`) >= waits {
			return told
		}
		if time.Now().After(end) {
			t.Fatalf("only these wait: %s", told)
		}
	}
}

// Coroutines of Twisted are on no stack while they wait for a Deferred.
func TestTwisted(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "python", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{"PYTHONPATH=" + twistedPackages(t)}})
	s.OK("diagnose", A{"target": "deferring.py", "timeout_ms": 20_000, "keep": true}) // on a busy machine it may not have seen for long enough that nothing computes
	s.OK("session", A{"action": "status"}).Want("paused", "data", "execution_state", "status")
	told := s.OK("inspect", A{"target": "waits"})
	kernel{Waits: []wait{
		{At: "deferred-asks", For: "the end of Twisted coroutine keeper: asked", Held: "Twisted coroutine keeper, which has not ended"},
		{At: "deferred-wants", For: "a lock: lock (DeferredLock", Held: "Twisted coroutine keeper", Taken: "deferred-locks"},
		{At: "deferred-awaits", For: "a Deferred to fire: reply"},
		{At: "deferred-gets", For: "an item: queue (DeferredQueue"},
		{At: "deferred-runs", For: "what its event loop is told (Twisted)"},
	}}.compare(t, told, p, tongue{File: "deferring.py"})
}

// twistedPackages is a folder with Twisted and what it needs.
func twistedPackages(t *testing.T) string {
	t.Helper()
	return packages(t, "twisted-24.3.0", "twisted==24.3.0", "attrs==25.3.0", "automat==25.4.16", "constantly==23.10.4", "hyperlink==21.0.0",
		"idna==3.10", "incremental==24.7.2", "packaging==25.0", "typing_extensions==4.14.0", "zope.interface==7.2")
}

// Virtual threads wait in no thread of the system's.
func TestVirtualThreads(t *testing.T) {
	jdks, _ := filepath.Glob("/usr/lib/jvm/*2[1-9]*") // the pattern is right
	if len(jdks) == 0 {
		t.Skip("no JDK 21 or newer lies below /usr/lib/jvm")
	}
	t.Parallel()
	p := testkit.NewProgramOf(t, "java", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	told := paused(t, s, A{"target": "Light.java", "runtime_path": jdks[len(jdks)-1]}, 3)
	kernel{Rings: 1, Waits: []wait{
		{At: "light-worker-locks", For: "ReentrantLock.lock: lock", Held: "thread main", Taken: "light-main-locks"},
		{At: "light-main-joins", For: "the end of virtual thread worker (join): worker", Held: "virtual thread worker, which has not ended"},
		{At: "light-takes", For: "LinkedBlockingQueue.take: jobs"},
	}}.compare(t, told, p, tongue{File: "Light.java"})
}

// Who waits for promises is read off the heap, of a program that runs too: an async function at its await, and
// the one whose end that waits for. That of several promises one is enough makes no ring.
func TestPromises(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "javascript", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	plain := []wait{
		{At: "query", For: "a promise: answer(sql)"},
		{At: "order", For: `a promise: query("select " + id)`, Held: "async function query"},
		{At: "orders", For: "a promise: Promise.all([order(1), order(2)])", Held: "async function order, which has not ended; async function order (2)"},
		{At: "either", For: "a promise: Promise.any("},
		{At: "answered", For: "a promise"},
	}
	s.OK("session_start", A{"target": "promises.mjs", "timeout_ms": 0})
	var told testkit.Reply
	testkit.Eventually(t, time.Minute, "the program to wait", func() bool {
		told = s.Call("inspect", A{"target": "waits", "count": 20})
		return strings.Contains(told.Text, "answered")
	})
	kernel{Waits: plain}.compare(t, told, p, tongue{File: "promises.mjs"})
	told.Has("The program stood still for", "Timeout").Lacks("node:internal")
	s.OK("session", A{"action": "stop"})
	told = s.OK("diagnose", A{"target": "promises.mjs", "args": []string{"ring"}, "timeout_ms": 10_000}).Want("deadlock", "data", "verdict")
	kernel{Rings: 1, Waits: append(plain, []wait{
		{At: "ring", For: "a promise: second", Held: "async function back"},
		{At: "back", For: "a promise: first", Held: "async function ring"},
	}...)}.compare(t, told, p, tongue{File: "promises.mjs"})
}

// What keeps an event loop of JavaScript waiting is counted.
func TestEventLoop(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgramOf(t, "javascript", "waits")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	s.OK("session_start", A{"target": "main.js", "args": []string{"server"}, "timeout_ms": 60_000}).Stopped("paused", p.At("main.js", "stands"))
	s.OK("inspect", A{"target": "waits"}).Want("1 TCPServerWrap, 1 Timeout", "data", "waits", "0", "waits_for")
}

// Tasks of tokio are not told, and that is said.
func TestTokio(t *testing.T) {
	testkit.Long(t, "tokio takes half a minute to build")
	t.Parallel()
	target := filepath.Join(testkit.Home(), "real", "tokio")
	defer testkit.Alone(t, target+".lock")()
	build := exec.Command("cargo", "build", "--quiet", "--locked", "--target-dir", target)
	build.Dir = filepath.Join("testdata", "tokio")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building: %v\n%s", err, text)
	}
	s := testkit.Start(t, testkit.Options{Dir: build.Dir})
	told := paused(t, s, A{"target": filepath.Join(target, "debug", "tasks"), "mode": "exec", "language": "rust"}, 2)
	told.Has("tasks of tokio: only the threads that run them are looked at")
	if strings.Contains(told.String(), "held_by") {
		t.Errorf("somebody is said to hold something: %s", told)
	}
}
