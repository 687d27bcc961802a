package judge

import (
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

func enter(call int64, function, from string) recording.Event {
	return recording.Event{Kind: recording.Enter, Call: call, Function: function, At: "/w/a.py:1", Stack: []string{from}}
}

func leave(call int64, function, value string, raised bool) recording.Event {
	return recording.Event{Kind: recording.Leave, Call: call, Function: function, At: "/w/a.py:9", Raised: raised, Values: []recording.Value{{Text: value}}}
}

// A run in which main calls find, which makes an Order and gives nothing, and fails.
var failed = []recording.Event{
	enter(1, "main", "<module> /w/a.py:30"),
	enter(2, "find", "main /w/a.py:20"),
	enter(3, "Order.__init__", "find /w/a.py:5"),
	leave(3, "Order.__init__", "None", false),
	leave(2, "find", "None", false),
	enter(4, "try_it", "main /w/a.py:21"),
	leave(4, "try_it", "ValueError: no", true),
	leave(1, "main", "AttributeError: 'NoneType' object has no attribute 'x'", true),
}

func TestLed(t *testing.T) {
	var calls []string
	for _, e := range Led(syntaxOf(exprsyntax.Python), failed, "AttributeError: 'NoneType' object has no attribute 'x'", true) {
		if e.Kind == recording.Enter {
			calls = append(calls, e.Function)
		}
	}
	if len(calls) != 2 || calls[0] != "find" || calls[1] != "try_it" {
		t.Errorf("the calls are %q", calls)
	}
	if !Recurs(failed, "AttributeError: 'NoneType' object has no attribute 'x'") || Recurs(failed, "KeyError: 'x'") {
		t.Error("it does not know its failure")
	}
	if got := Returned(failed, "find", "/w/a.py:20"); got == nil || got.Values[0].Text != "None" {
		t.Errorf("find gave %+v", got)
	}
	if got := Returned(failed[:1], "find", "/w/a.py:20"); got != nil {
		t.Errorf("it gave %+v before it was called", got)
	}
	exit := ExitOf(append(failed[:7:7], leave(1, "main", "SystemExit: 1", true)))
	if exit.Caught != "ValueError: no" || exit.Raised.Function != "try_it" || exit.At.Function != "main" {
		t.Errorf("the exit is %+v", exit)
	}
}

// A function that was handed over goes by another name where it is called.
func TestGaveUnder(t *testing.T) {
	events := []recording.Event{enter(1, "near", "check /w/a.py:20"), leave(1, "near", "True", false), enter(2, "far", "check /w/a.py:21"), leave(2, "far", "7", false)}
	if gave := GaveUnder(syntaxOf(exprsyntax.Python), events, "<function near at 0x7f>", "/w/a.py:20"); gave == nil || raisedText(*gave) != "True" {
		t.Errorf("it gave %+v", gave)
	}
	for name, value := range map[string]string{
		"what calls back":    "<built-in function max>",
		"another place":      "<function far at 0x7f>",
		"no function at all": "'near'",
		"not read":           "",
	} {
		if gave := GaveUnder(syntaxOf(exprsyntax.Python), events, value, "/w/a.py:20"); gave != nil {
			t.Errorf("%s: it gave %+v", name, gave)
		}
	}
	both := append(events, enter(3, "far", "check /w/a.py:20"), leave(3, "far", "7", false))
	if gave := GaveUnder(syntaxOf(exprsyntax.Python), both, "<function near.<locals>.far at 0x7f>", "/w/a.py:20"); gave != nil {
		t.Errorf("either of two gave %+v", gave)
	}
}

func TestCallee(t *testing.T) {
	for expression, want := range map[string]string{
		"f(x)": "f", "shop.find(2)": "find", "await f(g(x))": "f", "std::max(a, b)": "max", `f(")", (1, 2))`: "f", "a->b(c)": "b",
		"f(1) + g(2)": "", "not f(x)": "", "f(x)(y)": "", "f(x).y": "", "1 + f(x)": "", "(f)(x)": "", "f": "",
	} {
		if _, name := Callee(expression); name != want {
			t.Errorf("%s calls %q, want %q", expression, name, want)
		}
	}
	if whole, _ := Callee("shop.find(2)"); whole != "shop.find" {
		t.Errorf("it calls %q", whole)
	}
}

// What failed in a call of main is told by the end of the run where no exception is seen,
// and by which call gave nothing.
func TestSilent(t *testing.T) {
	silent := failed[:5]
	if !EndsIn(silent, "main(int, char**)") || !EndsIn(silent, "main") || EndsIn(silent, "find") || EndsIn(silent, "main_loop") {
		t.Error("it does not know where the run ended")
	}
	parts := []Part{{Part: exprsyntax.Part{Text: "find(2)", Use: exprsyntax.Opened, Calls: true}}, {Part: exprsyntax.Part{Text: "find(2)->next", Use: exprsyntax.Opened, Calls: true}}}
	part, gave := GaveNothing(Stop{Type: "signal", Message: "SIGSEGV", Syntax: syntaxOf(exprsyntax.C)}, parts, failed[:5], "/w/a.py:20")
	if part != 0 || gave == nil || raisedText(*gave) != "None" {
		t.Errorf("part %d gave %+v", part, gave)
	}
	if part, _ := GaveNothing(Stop{Type: "signal", Message: "SIGFPE", Syntax: syntaxOf(exprsyntax.C)}, parts, failed[:5], "/w/a.py:20"); part != -1 {
		t.Errorf("part %d gave nothing to divide by", part)
	}
}

// Calls that were made after the failure have not led to it, and of the others those count
// most that the failed functions made, or that raised something.
func TestNear(t *testing.T) {
	const failure = "AttributeError: 'NoneType' object has no attribute 'x'"
	events := append(failed[:len(failed):len(failed)], enter(5, "report", "<module> /w/a.py:31"), leave(5, "report", "None", false))
	m, found := MomentOf(events, Failing{Message: failure, Function: "a.main"})
	if !found {
		t.Fatal("the moment is not found")
	}
	for _, e := range m.Until(events) {
		if e.Call == 5 {
			t.Error("a call after the failure is left")
		}
	}
	if _, found := MomentOf(events, Failing{Message: "KeyError: 'x'", Function: "main"}); found {
		t.Error("another failure is taken for it")
	}
	near := Near(adapters.FailureSyntax{}, events, func(caller string) bool { return Calls(caller, "shop.main", "/w/a.py") })
	if near[2] != 1 || near[3] != 2 || near[4] != 1 || near[5] != farthest {
		t.Errorf("distances %v", near)
	}
	if !Calls("Sum_Test::TestBody /w/a.cc:4", "(anonymous namespace)::Sum_Test::TestBody() const", "/w/a.cc") || Calls("Sum_Test::SetUp /w/a.cc:2", "(anonymous namespace)::Sum_Test::TestBody() const", "/w/a.cc") {
		t.Error("it does not know a function by its signature")
	}
	if Calls("main /w/a.py:20", "main", "/w/b.py") || Calls("find /w/a.py:5", "main", "/w/a.py") {
		t.Error("it takes a function for another")
	}
}

func TestNested(t *testing.T) {
	events := []recording.Event{enter(1, "main", "<module> /w/a.py:30"), enter(2, "deep", "main /w/a.py:20"), enter(3, "deep", "deep /w/a.py:7"), enter(4, "deep", "deep /w/a.py:7")}
	events[3].Depth = 2
	got := Nested(events, "")
	if len(got) != 2 || got[0].Function != "deep" || got[0].Times != 3 || got[0].Line != 7 || got[1].Line != 20 {
		t.Errorf("nested are %+v", got)
	}
}

func TestPrintedIn(t *testing.T) {
	if p := PrintedIn(adapters.FailureSyntax{}, "Traceback (most recent call last):\nValueError: no\n"); p.Message != "" {
		t.Errorf("of a language that does not say how it prints: %+v", p)
	}
	says := adapters.FailureSyntax{Printed: func(string) adapters.Printed {
		return adapters.Printed{Message: "no", Before: "hello\n", Frames: []adapters.Thrown{{File: "/w/a.x", Line: 2, Function: "f", Times: 995}, {File: "/w/a.x", Line: 3}}}
	}}
	p := PrintedIn(says, "")
	if p.Message != "no" || p.Before != "hello\n" || len(p.Frames) != 2 || p.Frames[0] != (Place{File: "/w/a.x", Line: 2, Function: "f", Times: 995}) || p.Frames[1].Times != 1 {
		t.Errorf("printed is %+v", p)
	}
	says.Printed = func(string) adapters.Printed { return adapters.Printed{Before: "hello"} }
	if p := PrintedIn(says, ""); p.Before != "" {
		t.Errorf("there is none: %+v", p)
	}
}

func TestUnread(t *testing.T) {
	if got := UnreadAt(syntaxOf(exprsyntax.Python), "Traceback (most recent call last):\n  File \"/w/a.py\", line 3, in <module>\n    import till\n  File \"/w/till.py\", line 8\n", ""); got != (Place{File: "/w/till.py", Line: 8}) {
		t.Errorf("it could not be read at %+v", got)
	}
	if got := UnreadAt(syntaxOf(exprsyntax.JavaScript), "    at x", "TransformError: Transform failed with 1 error:\n/w/till.ts:7:10: ERROR: Unexpected \";\""); got != (Place{File: "/w/till.ts", Line: 7}) {
		t.Errorf("it could not be read at %+v", got)
	}
	if got := UnreadAt(syntaxOf(exprsyntax.JavaScript), "", "TSError: test/till.ts:12:65 - error TS1109: Expression expected.\n"); got != (Place{File: "test/till.ts", Line: 12}) || !IsUnreadable(syntaxOf(exprsyntax.JavaScript), "TSError: x") {
		t.Errorf("it could not be read at %+v", got)
	}
	for _, printed := range []string{
		"/w/till.js:7\n  sum -= (;\n          ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe\n",
		"file:///w/till.js:7\n  sum -= (;\n          ^\n\nSyntaxError: Unexpected token ';'\n    at wrapSafe\n",
		"TAP version 13\n# /w/till.js:7\n#   sum -= (;\n#           ^\n# SyntaxError: Unexpected token ';'\n#     at wrapSafe\n",
	} {
		if got := UnreadIn(syntaxOf(exprsyntax.JavaScript), printed); got != (Place{File: "/w/till.js", Line: 7}) {
			t.Errorf("%q could not be read at %+v", printed, got)
		}
	}
	const rust = "running 1 test\ntest tests::works ... before\n\nthread 'tests::works' (7) panicked at src/lib.rs:7:2:\nno total\nstack backtrace:\n   0: core::panicking::panic\n             at /rustc/lib.rs:3:5\n   1: shop::total\n             at ./src/lib.rs:7:2\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\nat last\n"
	if got := Untold(syntaxOf(exprsyntax.Rust), Unrepeated(syntaxOf(exprsyntax.Rust), rust, "panic: no total"), "panic: no total"); got != "test tests::works ... before\nat last\n" {
		t.Errorf("untold is %q", got)
	}
	if got := Untold(syntaxOf(exprsyntax.Go), "=== RUN   TestA\nworking\n--- FAIL: TestA (0.00s)\n", ""); got != "working\n" {
		t.Errorf("untold is %q", got)
	}
}

func TestCircle(t *testing.T) {
	wait := func(name, object string) Thread {
		return Thread{Name: name, At: "a.py:1", Waiting: "a lock", Object: object}
	}
	sleeper := Thread{Name: "sleeper", At: "a.py:9", Waiting: "a time to pass (sleep)"}
	circle := Sample{sleeper, wait("a", "y, held by b"), wait("b", "x, held by a")}
	if got := HangOf([]Sample{circle}, Load{Known: true}, true); got != Deadlock {
		t.Errorf("two that wait for each other beside a sleeper: %s", got)
	}
	if n := Locks(circle); n != 2 {
		t.Errorf("%d locks are waited for", n)
	}
	line := Sample{sleeper, wait("a", "y, held by b"), wait("b", "x, held by sleeper")}
	if got := HangOf([]Sample{line}, Load{Known: true}, true); got != Blocked {
		t.Errorf("two that wait for a sleeper: %s", got)
	}
	if got := (Stop{Type: "Error", Message: "expect(received).toBe(expected)", Testing: true, Syntax: syntaxOf(exprsyntax.JavaScript)}).Verdict(); got != TestFailure {
		t.Errorf("Jest's failure: %s", got)
	}
}

func TestQualified(t *testing.T) {
	if got := Qualified("  File \"/a.py\", line 2, in f\n    json.loads(text)\njson.decoder.JSONDecodeError: Expecting\n"); got != "json.decoder.JSONDecodeError" {
		t.Errorf("it is %q", got)
	}
	if got := Qualified("  File \"/a.py\", line 2, in f\n    f()\nKeyError: 'a.b'\n"); got != "" {
		t.Errorf("a built-in one is %q", got)
	}
}

func TestEndless(t *testing.T) {
	dead, naps := Thread{Name: "a", Endless: true}, Thread{Name: "b"}
	if Endless(nil) || Endless(Sample{dead, naps}) || !Endless(Sample{dead, dead}) {
		t.Error("endless is what every thread surely is")
	}
}
