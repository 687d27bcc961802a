package judge

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// table is a run in which two subtests fail at one line, and others pass after that.
func tableOfTests() []recording.Event {
	failed := func(test string) recording.Event {
		return recording.Event{Kind: recording.Failed, Text: recording.Expected, At: "/w/a_test.go:13", Function: "check", Detail: &recording.Detail{Test: test}, Stack: []string{"TestHalf.func1 /w/a_test.go:24"}}
	}
	var events []recording.Event
	for i, test := range []string{"one", "six", "nine", "ten"} {
		n := int64(2*i + 1)
		events = append(events, enter(n, "check", "TestHalf.func1 /w/a_test.go:24"), enter(n+1, "half", "check /w/a_test.go:11"), leave(n+1, "half", test, false))
		events[len(events)-3].Names, events[len(events)-3].Values = []string{"n"}, []recording.Value{{Text: test}}
		if test == "six" || test == "nine" {
			events = append(events, failed("TestHalf/"+test))
		}
		events = append(events, leave(n, "check", "", false))
	}
	return events
}

// What led to a failure had begun before it, in the test that failed.
func TestMoment(t *testing.T) {
	events := tableOfTests()
	for message, call := range map[string]int64{"TestHalf/six: got 99": 3, "TestHalf/nine: got 99": 5} {
		f := Failing{Message: message, File: "/w/a_test.go", Line: 13, Function: "check"}
		m, found := MomentOf(events, f)
		if !found {
			t.Fatalf("%s is not found", message)
		}
		until := m.Until(events)
		if last := until[len(until)-1]; last.Call != call+1 {
			t.Errorf("%s: the last event is of call %d", message, last.Call)
		}
		if e := Entered(until, "check", message, 0, ""); e == nil || e.Call != call {
			t.Errorf("%s: the call that stands is %+v", message, e)
		}
		if Entered(until, "half", message, 0, "") != nil {
			t.Errorf("%s: a call that has ended stands", message)
		}
	}
}

// Where tests that fail alike came up through other code, that tells which it is.
func TestMomentOfOneOfMany(t *testing.T) {
	failed := func(test, line string) recording.Event {
		return recording.Event{
			Kind: recording.Failed, Text: recording.Uncaught, At: "/w/model.rb:9", Function: "to_s", Detail: &recording.Detail{Test: test},
			Values: []recording.Value{{Text: "nil"}}, Stack: []string{"show /w/show.rb:4", "test /w/show_test.rb:" + line},
		}
	}
	events := []recording.Event{failed("one", "5"), failed("two", "10")}
	f := Failing{Message: "nil", File: "/w/model.rb", Line: 9, Function: "to_s"}
	if _, found := MomentOf(events, f); found {
		t.Error("found without a word of the test")
	}
	for line, at := range map[int]int{5: 0, 10: 1} {
		f.Through = []Place{{File: "/w/model.rb", Line: 9}, {File: "/w/show.rb", Line: 4}, {File: "/w/show_test.rb", Line: line}}
		if m, found := MomentOf(events, f); !found || m.At != at {
			t.Errorf("through line %d: found %v at %d", line, found, m.At)
		}
	}
	f.Through[2].Line = 7
	if _, found := MomentOf(events, f); found {
		t.Error("found of a test that has not failed")
	}
}

// Without the event, or with one that is not like the failure, nothing is known of when
// it came.
func TestNoMoment(t *testing.T) {
	events := tableOfTests()
	for name, f := range map[string]Failing{
		"another place": {Message: "TestHalf/six: got 99", File: "/w/a_test.go", Line: 14, Function: "check"},
		"another test":  {Message: "TestHalf/two: got 99", File: "/w/a_test.go", Line: 13, Function: "check"},
	} {
		if m, found := MomentOf(events, f); found {
			t.Errorf("%s: found at %d", name, m.At)
		}
	}
	var silent []recording.Event
	for _, e := range events {
		if e.Kind != recording.Failed {
			silent = append(silent, e)
		}
	}
	if _, found := MomentOf(silent, Failing{Message: "TestHalf/six: got 99", File: "/w/a_test.go", Line: 13, Function: "check"}); found || Tells(silent) {
		t.Error("a run that tells of no failure has one")
	}
	other := []recording.Event{{Kind: recording.Failed, Text: recording.Uncaught, At: "/w/a.py:3", Values: []recording.Value{{Text: "KeyError: 'y'"}}}}
	if _, found := MomentOf(other, Failing{Message: "KeyError: 'x'", File: "/w/a.py", Line: 3}); found {
		t.Error("a failure with other words is taken for it")
	}
}

// What runs at a program's end may ask for another code than what ended it.
func TestMomentOfAnExit(t *testing.T) {
	exited := func(code string) recording.Event {
		return recording.Event{Kind: recording.Failed, Text: recording.Exited, At: "/w/a.c:3", Values: []recording.Value{{Text: code}}}
	}
	code := 3
	if m, _ := MomentOf([]recording.Event{exited("3"), exited("3"), exited("0"), exited("3"), exited("3")}, Failing{ExitCode: &code}); m.At != 3 {
		t.Errorf("a code that was taken back and asked for again is event %d", m.At)
	}
	events := []recording.Event{exited("3"), exited("6"), exited("-1")}
	for code, want := range map[int]int{3: 0, 6: 1, 255: 2, 7: -1} {
		m, found := MomentOf(events, Failing{Message: "exited with code", ExitCode: &code})
		if at := m.At; found != (want >= 0) || found && at != want {
			t.Errorf("the exit with %d is event %d (%v), want %d", code, at, found, want)
		}
	}
	if uncaught := (recording.Event{Kind: recording.Failed, Text: recording.Uncaught}); !OnlyExits(events) || OnlyExits(append(events, uncaught)) {
		t.Error("an exit is not told from what nobody caught")
	}
}

// A debugger and a recorder may name the type of a failure each in its way.
func TestMomentByAnotherName(t *testing.T) {
	f := Failing{Type: "panic", Message: "panic: index out of range [5]", File: "/w/a.go", Line: 3}
	for noted, same := range map[string]bool{
		"runtime error: index out of range [5]": true,
		"index out of range [5]":                true,
		"runtime error: index out of range [6]": false,
		"[5]":                                   true, // what is cut, as before
		"out of cheese: range [5]":              false,
	} {
		events := []recording.Event{{Kind: recording.Failed, Text: recording.Uncaught, At: "/w/a.go:3", Values: []recording.Value{{Text: noted}}}}
		if _, found := MomentOf(events, f); found != same {
			t.Errorf("%q: %t", noted, found)
		}
	}
}

// What other threads do beside a failure has not led to it.
func TestMomentOfThread(t *testing.T) {
	mine, other := enter(1, "work", "main /w/a.py:9"), enter(2, "tick", "main /w/a.py:8")
	mine.Thread, other.Thread = "worker", "ticker"
	events := []recording.Event{mine, other, {Kind: recording.Failed, Text: recording.Uncaught, At: "/w/a.py:3", Thread: "worker", Values: []recording.Value{{Text: "KeyError: 'x'"}}}}
	m, found := MomentOf(events, Failing{Message: "KeyError: 'x'", File: "/w/a.py", Line: 3})
	if until := m.Until(events); !found || len(until) != 1 || until[0].Call != 1 {
		t.Errorf("found %v, until then %+v", found, until)
	}
}

// What a recorder or a runtime tells of was not handled, though the program ended well: a
// thread has died of it.
func TestMayHandle(t *testing.T) {
	f := Failing{Type: "KeyError", Message: "KeyError: 'x'", File: "/w/a.py", Line: 3, Function: "find"}
	dies := []recording.Event{{Kind: recording.Failed, Text: recording.Uncaught, At: "/w/a.py:3", Thread: "worker", Values: []recording.Value{{Text: "KeyError: 'x'"}}}}
	if !MayHandle(nil, f, "done\n") {
		t.Error("nobody tells of it, and it cannot be handled")
	}
	if MayHandle(dies, f, "") {
		t.Error("the recorder tells of it")
	}
	if MayHandle(nil, f, "Exception in thread worker:\nKeyError: 'x'\n") {
		t.Error("the runtime tells of it")
	}
}

// An error that was made in one place and is thrown in another is told by its recorder
// where it was made: it is the same failure, and one that was made elsewhere is not.
func TestMomentOfAnErrorThatWasMadeElsewhere(t *testing.T) {
	failed := []recording.Event{{Kind: recording.Failed, At: "/w/a.js:2", Function: "make", Values: []recording.Value{{Text: "Error: kept"}}}}
	f := Failing{Type: "Error", Message: "Error: kept", File: "/w/a.js", Line: 9, Made: Place{File: "/w/a.js", Line: 2}}
	if _, found := MomentOf(failed, f); !found {
		t.Error("the same failure is not found")
	}
	f.Made.Line = 3
	if _, found := MomentOf(failed, f); found {
		t.Error("one that was made at another line is taken for it")
	}
}
