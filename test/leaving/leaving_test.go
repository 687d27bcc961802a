//go:build linux

// Package leaving asks the built server what tests that pass leave running: the tests of
// testdata/LANGUAGE/leaving, some of which leave something and some nothing.
package leaving

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

func TestMain(m *testing.M) { os.Exit(testkit.Main(m)) }

// A shortens the arguments of calls.
type A = testkit.A

// left is a row that diagnose is to tell.
type left struct {
	kind  string
	made  string // "file@mark"; empty: unknown
	waits string // a part of what it waits for
	at    string // "file@mark"; empty: not held
	count int
}

// language has tests that leave something, by name, and tests that leave nothing.
type language struct {
	name   string
	start  A
	leaves map[string][]left
	clean  []string
	// long are those of the long run: they wait, or are over, as others of their language do.
	long []string
}

var languages = []language{
	{
		name: "go", long: []string{
			"TestEarlyReturn", "TestFirstAnswer", "TestProducerAfterBreak", "TestTicker", "TestForgottenCancel", "TestPoolNotClosed",
			"TestConditionNotSignalled", "TestGroupNeverDone", "TestNilChannel", "TestReaderHeld", "TestServerNotShut", "TestSelectForever", "TestCleanProcess", "TestCleanCleanup", "TestCleanPool", "TestCleanIdle", "TestCleanParallel",
		},
		leaves: map[string][]left{
			"TestSenderAfterTimeout":    {{"goroutine", "leaving_test.go@query", "chan send", "leaving_test.go@send", 1}},
			"TestForgottenCancel":       {{"goroutine", "leaving_test.go@watch", "chan receive", "leaving_test.go@done", 1}},
			"TestPoolNotClosed":         {{"goroutine", "leaving_test.go@worker", "chan receive", "leaving_test.go@jobs", 3}},
			"TestTicker":                {{"goroutine", "leaving_test.go@ticker", "chan receive", "leaving_test.go@tick", 1}},
			"TestAfterFunc":             {{"goroutine", "", "select (no cases)", "leaving_test.go@after", 1}},
			"TestSelectForever":         {{"goroutine", "leaving_test.go@forever", "select (no cases)", "leaving_test.go@forever", 1}},
			"TestServerNotShut":         {{"server", "leaving_test.go@serve", "connections", "", 1}},
			"TestTestServerNotClosed":   {{"server", "leaving_test.go@httptest", "connections", "", 1}},
			"TestEarlyReturn":           {{"goroutine", "leaving_test.go@group", "chan send", "leaving_test.go@result", 1}},
			"TestLockHeld":              {{"goroutine", "leaving_test.go@locker", "sync.Mutex.Lock", "leaving_test.go@lock", 1}},
			"TestFirstAnswer":           {{"goroutine", "leaving_test.go@asks", "chan send", "leaving_test.go@second", 1}},
			"TestProducerAfterBreak":    {{"goroutine", "leaving_test.go@produces", "chan send", "leaving_test.go@next", 1}},
			"TestConditionNotSignalled": {{"goroutine", "leaving_test.go@conditioned", "sync.Cond.Wait", "leaving_test.go@unsignalled", 1}},
			"TestGroupNeverDone":        {{"goroutine", "leaving_test.go@closer", "sync.WaitGroup.Wait", "leaving_test.go@never-done", 1}},
			"TestNilChannel":            {{"goroutine", "leaving_test.go@nil-made", "chan receive (nil chan)", "leaving_test.go@nil-read", 1}},
			"TestReaderHeld":            {{"goroutine", "leaving_test.go@reader", "sync.RWMutex.RLock", "leaving_test.go@read-lock", 1}},
			"TestStages": {
				{"goroutine", "leaving_test.go@doubles", "chan receive", "leaving_test.go@source", 1},
				{"goroutine", "leaving_test.go@prints", "chan receive", "leaving_test.go@doubled", 1},
			},
			"TestProcess":         {{"process", "", "", "", 1}},
			"TestFailsAfterwards": {{"goroutine", "", "", "leaving_test.go@late", 1}},
			"TestLeavesWithMain":  {{"goroutine", "main/main_test.go@left", "select (no cases)", "main/main_test.go@left", 1}},
		},
		clean: []string{"TestCleanSettles", "TestCleanCleanup", "TestCleanPool", "TestCleanServer", "TestCleanIdle", "TestCleanParallel", "TestCleanProcess", "TestCleanEnvironment", "Example_clean", "TestCleanWithMain"},
	},
	{
		name: "python", start: A{"target": "test_leaving.py"},
		long: []string{
			"test_timer", "test_event", "test_loop_not_closed", "test_daemon_process", "test_clean_executor", "test_clean_in_case", "test_clean_server", "test_clean_settles",
		},
		leaves: map[string][]left{
			"test_thread_on_queue":   {{"thread", "test_leaving.py@consumer", "an item in a queue", "test_leaving.py@get", 1}},
			"test_executor_not_shut": {{"thread", "test_leaving.py@submit", "work for its executor", "", 1}},
			"test_timer":             {{"thread", "test_leaving.py@timer", "event", "", 1}},
			"test_event":             {{"thread", "test_leaving.py@waiter", "event", "", 3}},
			"test_task_not_awaited":  {{"task", "test_leaving.py@task", "Event.wait; cancelled", "test_leaving.py@forever", 1}},
			"test_loop_not_closed":   {{"task", "test_leaving.py@unclosed", "Event.wait", "test_leaving.py@forever", 1}},
			"test_process":           {{"process", "test_leaving.py@sleep", "", "", 1}},
			"test_daemon_process":    {{"process", "test_leaving.py@fork", "", "", 1}},
			"test_server_not_shut":   {{"thread", "test_leaving.py@serve", "select", "", 1}, {"server", "", "connections", "", 1}},
			"test_in_case":           {{"thread", "test_leaving.py@case", "an item in a queue", "test_leaving.py@get", 1}},
		},
		clean: []string{"test_clean_session_fixture", "test_clean_settles", "test_clean_executor", "test_clean_tasks", "test_clean_process", "test_clean_server", "test_clean_in_case", "test_clean_environment"},
	},
	{
		name: "java", start: A{"target": "LeavingTest.java"}, long: []string{"latch", "process", "cleanSettles", "cleanCommonPool", "cleanProcess"},
		leaves: map[string][]left{
			"executorNotShut": {{"thread", "LeavingTest.java@submit", "work for its executor", "", 1}},
			"timer":           {{"thread", "LeavingTest.java@timer", "the next task of its timer", "", 1}},
			"threadOnQueue":   {{"thread", "LeavingTest.java@consumer", "an item in a queue", "LeavingTest.java@take", 1}},
			"latch":           {{"thread", "LeavingTest.java@waiter", "a latch", "LeavingTest.java@never", 3}},
			"process":         {{"process", "", "", "", 1}},
		},
		clean: []string{"cleanExecutor", "cleanCommonPool", "cleanSettles", "cleanProcess"},
	},
}

// What a test leaves running is told, with where it was made and what it waits for; what the
// language, the framework or the debugger keeps is not, nor what ends by itself.
func TestLeftover(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	for _, l := range languages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgramOf(t, l.name, "leaving")
			s := testkit.Start(t, testkit.Options{Dir: p.Dir})
			for test, rows := range l.leaves {
				t.Run(test, func(t *testing.T) {
					if slices.Contains(l.long, test) {
						testkit.Long(t, "it waits as another does")
					}
					r := s.For(t).OK("diagnose", l.ask(test)).Want("leftover", "data", "verdict").Want("0", "data", "exit_code")
					check(t, p, r, rows)
				})
			}
			for _, test := range l.clean {
				t.Run(test, func(t *testing.T) {
					if slices.Contains(l.long, test) {
						testkit.Long(t, "it is over as another is")
					}
					s.For(t).OK("diagnose", l.ask(test)).Want("ok", "data", "verdict").Lacks("left running", `"leftover"`)
				})
			}
		})
	}
}

// ask are the arguments of a strict diagnosis of one test.
func (l language) ask(test string) A {
	args := A{"test": test, "strict": true, "keep": false, "timeout_ms": 120_000}
	maps.Copy(args, l.start)
	return args
}

// check compares what is told with what was left.
func check(t *testing.T, p *testkit.Program, r testkit.Reply, want []left) {
	t.Helper()
	var got []struct {
		Kind     string `json:"kind"`
		MadeAt   string `json:"made_at"`
		WaitsFor string `json:"waits_for"`
		At       string `json:"at"`
		Count    int    `json:"count"`
	}
	r.Decode(&got, "data", "leftover")
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d:\n%s", len(got), len(want), r)
	}
	place := func(marked string) string {
		if file, mark, found := strings.Cut(marked, "@"); found {
			return p.At(file, mark)
		}
		return ""
	}
	for i, w := range want {
		g := got[i]
		if g.Kind != w.kind || g.MadeAt != place(w.made) || !strings.Contains(g.WaitsFor, w.waits) || w.at != "" && g.At != place(w.at) || g.Count != w.count {
			t.Errorf("row %d is %+v, want %+v", i, g, w)
		}
	}
}

// A pass with something left is one, unless strictness is asked for.
func TestPass(t *testing.T) {
	t.Parallel()
	p := testkit.NewProgram(t, "leaving")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("diagnose", A{"test": "TestPoolNotClosed", "timeout_ms": 120_000}).Want("ok", "data", "verdict")
	r.Has("nothing went wrong: it ran to its end; left running: 3 goroutines", p.At("leaving_test.go", "worker"), "leaving.newPool", "TestPoolNotClosed")
	s.OK("session", A{"action": "list"}).Want("[]", "data", "sessions")

	// A program is looked at only where that is asked for.
	p.Write("cmd/main.go", "package main\n\nfunc main() {\n\tgo func() { select {} }()\n}\n")
	s.OK("diagnose", A{"target": "cmd", "timeout_ms": 120_000}).Want("ok", "data", "verdict").Lacks("left running")
	s.OK("diagnose", A{"target": "cmd", "strict": true, "timeout_ms": 120_000}).Want("leftover", "data", "verdict").Has("cmd/main.go:4")
}

// A program whose main code is through and that does not end says what it waits for.
func TestHangs(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramOf(t, "python", "leaving")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	r := s.OK("diagnose", A{"test": "test_hangs", "target": "test_leaving.py", "keep": false, "timeout_ms": 30_000}).Want("blocked", "data", "verdict")
	check(t, p, r, []left{{"thread", "test_leaving.py@hangs", "an item in a queue", "test_leaving.py@get", 1}})
}
