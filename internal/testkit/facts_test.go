package testkit

import (
	"strings"
	"testing"
)

const factsReply = `{"success":true,"summary":"stopped at breakpoint 1, calc.go:7 in main.add","session_id":"go-1","data":{` +
	`"execution_state":{"status":"stopped_at_breakpoint","stop_reason":"breakpoint","thread_id":17,"breakpoints_active":true,"hit_breakpoints":[1]},` +
	`"location":"calc.go:7","function":"main.add","code_snapshot":{"formatted":"6  \tsum := 0\n7→ \tsum = a + b"},` +
	`"locals":{"a":{"v":"2","t":"int"},"b":{"v":"3","t":"int","ref":4}},"stack":["main.add calc.go:7"],"output":{"stdout":"one\ntwo\n"}},` +
	`"next_steps":[{"tool":"step","params":{"action":"out"},"why":"see"}],"omitted":[{"what":"locals","shown":2,"total":9,"get":{"tool":"inspect","params":{"start":2}}}]}`

const factsText = `stopped at breakpoint 1, calc.go:7 in main.add   [go-1, thread 17]
  6  	sum := 0
  7→ 	sum = a + b
locals
  a = 2  (int)
  b = 3  (int, ref 4)
stack
  main.add calc.go:7
stdout
  one
  two
omitted  locals 2 of 9: inspect {"start":2}
next  step {"action":"out"}  see`

// What the checker lets pass has all facts and no other.
func TestCheckFacts(t *testing.T) {
	if err := checkFacts(factsText, []byte(factsReply)); err != nil {
		t.Error(err)
	}
	for fault, edit := range map[string][2]string{
		"thread_id 17":            {", thread 17", ""},
		"thread_id":               {"thread 17", "thread 170"},
		".session_id":             {"go-1, ", ""},
		".locals.b.v":             {"b = 3", "b = 2"},
		".locals.b.ref":           {", ref 4", ""},
		".locals.a.name":          {"  a = 2", "  c = 2"},
		".code_snapshot":          {"\n  7→ \tsum = a + b", ""},
		".stack[0]":               {"  main.add calc.go:7\n", ""},
		".output.stdout":          {"  one\n  two", "  two\n  one"},
		".omitted[0]":             {"2 of 9", "2"},
		".next_steps[0]":          {`"out"`, `"over"`},
		".execution_state.status": {"stopped at breakpoint 1", "at breakpoint 1"},
		`the text says ["4711"]`:  {"ref 4)", "ref 4, 4711)"},
		`the text says ["gone"]`:  {"stdout\n", "stdout gone\n"},
	} {
		text := strings.Replace(factsText, edit[0], edit[1], 1)
		if err := checkFacts(text, []byte(factsReply)); text == factsText || err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v", fault, err)
		}
	}
}

// A list in a list stands in a line, or below a heading of its own.
func TestCheckFactsOfLists(t *testing.T) {
	const reply = `{"success":true,"summary":"held","data":{"ways":[["root: a","Busy.KEPT"],["root: b","String"]]}}`
	if err := checkFacts("held\nways\n  root: a, Busy.KEPT\n  root: b, String", []byte(reply)); err != nil {
		t.Error(err)
	}
	if err := checkFacts("held\nways\n  root: a\n  Busy.KEPT\nways\n  root: b\n  String", []byte(reply)); err != nil {
		t.Error(err)
	}
	if err := checkFacts("held\nways\n  root: a\n  Busy.KEPT\nways\n  String", []byte(reply)); err == nil || !strings.Contains(err.Error(), "root: b") {
		t.Error(err)
	}
}

// An error may say with its code what the JSON says in a sentence.
func TestCheckFactsOfErrors(t *testing.T) {
	const reply = `{"success":false,"summary":"the program does not build","error":{"code":"AIDB_BUILD_FAILED","message":"a.go:1: no","hint":"mend it",` +
		`"details":{"errors":[{"file":"a.go","line":1,"column":2,"message":"no"}]}}}`
	if err := checkFacts("AIDB_BUILD_FAILED: a.go:1: no\nhint: mend it\ndetails\n  errors: a.go:1:2", []byte(reply)); err != nil {
		t.Error(err)
	}
	if err := checkFacts("AIDB_BUILD_FAILED: a.go:1: no\ndetails\n  errors: a.go:1:2", []byte(reply)); err == nil || !strings.Contains(err.Error(), "hint") {
		t.Error(err)
	}
	if err := checkFacts("a.go:1: no\nhint: mend it\ndetails\n  errors: a.go:1:2", []byte(reply)); err == nil || !strings.Contains(err.Error(), "AIDB_BUILD_FAILED") {
		t.Error(err)
	}
}
