package hostile

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"aidb-mcp/internal/fault"
)

// answer is what a tool replied.
type answer struct {
	text    string // as JSON
	shown   string // as text
	isError bool
	took    time.Duration
}

// caller calls a tool.
type caller func(tool string, args O) answer

// call is a stop on the tour.
type call struct {
	tool  string
	args  O
	sends string // what it asks the adapter, beside what every view does; empty: it is always made
}

// start begins every tour.
var start = call{"session_start", O{"target": "main.toy", "timeout_ms": wait, "breakpoints": L{O{"file": "main.toy", "line": 2}, O{"function": "main.add"}}, "show": L{"x"}}, ""}

// wait is how long a call of the tour waits for the program, in milliseconds.
const wait = 2000

// tour asks everything that can be asked at a stop, and moves on.
var tour = []call{
	{"inspect", O{"depth": 3}, ""},
	{"inspect", O{"target": "stack", "count": 100}, "stackTrace"},
	{"inspect", O{"target": "threads"}, "threads"},
	{"inspect", O{"target": "expression", "expression": "x", "depth": 2}, "evaluate"},
	{"inspect", O{"target": "globals"}, "scopes"},
	{"inspect", O{"target": "registers"}, "scopes"},
	{"inspect", O{"target": "arguments"}, "scopes"},
	{"inspect", O{"target": "exception"}, "exceptionInfo"},
	{"inspect", O{"target": "all", "frame": 1}, "threads"},
	{"inspect", O{"target": "source"}, "stackTrace"},
	{"inspect", O{"target": "memory", "address": "0x1000", "length": 4}, "readMemory"},
	{"inspect", O{"target": "memory", "expression": "x", "length": 4}, "readMemory evaluate"},
	{"inspect", O{"target": "disassembly", "count": 2}, "disassemble"},
	{"inspect", O{"target": "modules"}, "modules"},
	{"variable", O{"action": "set", "name": "x", "value": "2"}, "setVariable setExpression"},
	{"breakpoint", O{"action": "set", "location": "main.toy:3", "condition": "x == 1"}, "setBreakpoints evaluate"},
	{"breakpoint", O{"action": "set", "location": "main.add"}, "setFunctionBreakpoints"},
	{"breakpoint", O{"action": "watch", "name": "x"}, "dataBreakpointInfo setDataBreakpoints"},
	{"breakpoint", O{"action": "set", "exceptions": L{"all"}}, "setExceptionBreakpoints"},
	{"breakpoint", O{"action": "list"}, "setBreakpoints setFunctionBreakpoints setDataBreakpoints"},
	{"step", O{"action": "over", "timeout_ms": wait}, "next"},
	{"step", O{"action": "into", "timeout_ms": wait}, "stepIn"},
	{"step", O{"action": "out", "timeout_ms": wait}, "stepOut exceptionInfo"},
	{"execute", O{"action": "jump", "jump_target": "main.toy:3", "timeout_ms": wait}, "gotoTargets goto"},
	{"breakpoint", O{"action": "clear_all"}, "setBreakpoints setFunctionBreakpoints setDataBreakpoints"},
	{"execute", O{"action": "continue", "timeout_ms": 0}, "continue pause"},
	{"execute", O{"action": "pause", "timeout_ms": wait}, "pause"},
	{"session", O{"action": "status"}, ""},
	{"session", O{"action": "output"}, ""},
	{"context", O{"detail_level": "full"}, "scopes"},
}

// part is the tour of a misdeed at one command, without the calls that have
// nothing to do with it.
func part(at string) []call {
	if slices.Contains(everywhere, at) {
		return tour
	}
	return slices.DeleteFunc(slices.Clone(tour), func(c call) bool {
		return c.sends != "" && !slices.Contains(strings.Fields(c.sends), at)
	})
}

// everywhere are the commands that change every call.
var everywhere = []string{"initialize", "configurationDone", "stackTrace", "scopes", "variables", own}

var ref = regexp.MustCompile(`"ref": ?(\d+)`)

// walk makes the tour, and checks every answer.
func walk(t *testing.T, tour []call, most time.Duration, see func(call, answer), ask caller) {
	t.Helper()
	take := func(c call) answer {
		t.Helper()
		a := ask(c.tool, c.args)
		check(t, c, a, most)
		if see != nil {
			see(c, a)
		}
		return a
	}
	if !take(start).isError {
		for _, c := range tour {
			a := take(c)
			if m := ref.FindStringSubmatch(a.text); m != nil && c.tool == "inspect" {
				take(call{tool: "inspect", args: O{"target": "object", "ref": json.Number(m[1]), "depth": 2, "start": 1}})
			}
		}
	}
	take(call{tool: "session", args: O{"action": "stop"}})
	if list := take(call{tool: "session", args: O{"action": "list"}}); strings.Contains(list.text, `"running"`) || strings.Contains(list.text, `"starting"`) {
		t.Errorf("after its stop the session lives: %s", list.text)
	}
}

// codes are those that an adapter's fault may be told by.
var codes = []fault.Code{
	fault.SessionNotStarted, fault.SessionTerminated, fault.SessionStart, fault.MissingParam, fault.NotPaused, fault.NotRunning, fault.InvalidParam, fault.InvalidLocation,
	fault.Evaluation, fault.InvalidFrame, fault.StaleReference, fault.VariableSet, fault.Breakpoint, fault.NotSupported,
	fault.AdapterCrashed, fault.AdapterTimeout,
}

// inner are words of the language that this server is written in.
var inner = []string{"json:", "unmarshal", "godap", "struct field", "runtime error", "nil pointer", "%!", "interface {}", "goroutine 1 [", "base64"}

// check holds an answer to what every answer must be.
func check(t *testing.T, c call, a answer, most time.Duration) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s %v: %s:\n%.1500s", c.tool, c.args, fmt.Sprintf(format, args...), a.text)
	}
	if a.took > most {
		fail("took %s", a.took)
	}
	if len(a.text) > 9000 || len(a.shown) > 9000 {
		fail("%d and %d bytes", len(a.text), len(a.shown))
	}
	if i := strings.IndexFunc(a.shown, unfit); i >= 0 {
		fail("the character %U in %.200q", []rune(a.shown[i:])[0], a.shown)
	}
	var reply struct {
		Success bool
		Error   *struct{ Code, Message, Hint string }
	}
	if err := json.Unmarshal([]byte(a.text), &reply); err != nil {
		fail("no JSON: %v", err)
		return
	}
	if e := reply.Error; e != nil {
		if !slices.Contains(codes, fault.Code(strings.TrimPrefix(e.Code, "AIDB_"))) {
			fail("the code is %s", e.Code)
		}
		if e.Message == "" || e.Hint == "" {
			fail("message %q, hint %q", e.Message, e.Hint)
		}
	}
	for _, word := range inner {
		if strings.Contains(a.text, word) {
			fail("it says %q", word)
		}
	}
	var all any
	_ = json.Unmarshal([]byte(a.text), &all) // it has been read above
	texts(all, func(text string) {
		if i := strings.IndexFunc(text, unfit); i >= 0 {
			fail("the character %U in %.200q", []rune(text[i:])[0], text)
		}
	})
}

// unfit are the characters that do something to a terminal or to a reader's eye.
func unfit(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || strings.ContainsRune("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
}

func texts(v any, visit func(string)) {
	switch v := v.(type) {
	case string:
		visit(v)
	case L:
		for _, element := range v {
			texts(element, visit)
		}
	case O:
		for key, member := range v {
			visit(key)
			texts(member, visit)
		}
	}
}
