package flow

import (
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// A statement that calls between what it reads has several uses: "x, y = f(g(a)), b" tells
// what it has read before each call and before it writes. A result is followed whichever
// of the calls gave it.
func TestUsesOfOneStatement(t *testing.T) {
	value := func(text, place string) recording.Value { return recording.Value{Text: text, Place: place} }
	use := func(seq, call int64, at string, more bool, names string, values ...recording.Value) recording.Event {
		return recording.Event{Kind: recording.Use, Seq: seq, At: at, Call: call, More: more, Names: strings.Fields(names), Values: values}
	}
	enter := func(seq, call int64, at, from string, v recording.Value) recording.Event {
		return recording.Event{Kind: recording.Enter, Seq: seq, At: at, Call: call, Function: "main." + at[:1], Names: []string{"n"}, Values: []recording.Value{v}, Stack: []string{"main " + from}}
	}
	leave := func(seq, call int64, at, text string) recording.Event {
		return recording.Event{Kind: recording.Leave, Seq: seq, At: at, Call: call, Function: "main." + at[:1], Values: []recording.Value{{Text: text}}}
	}
	log := recording.Log{Events: []recording.Event{
		use(1, 1, "m:5", false, "a", value("20", "a")),
		enter(2, 2, "g:1", "m:5", value("20", "f2.n")),
		use(3, 2, "g:2", false, "n", value("20", "f2.n")),
		leave(4, 2, "g:2", "20"),
		use(5, 1, "m:5", true, "a", value("20", "a")),
		enter(6, 3, "f:1", "m:5", value("20", "f3.n")),
		use(7, 3, "f:2", false, "n", value("20", "f3.n")),
		leave(8, 3, "f:2", "20"),
		use(9, 1, "m:5", true, "a b", value("20", "a"), value("0", "b")),
		{Kind: recording.Write, Seq: 10, At: "m:5", Call: 1, Place: "x", Values: []recording.Value{{}, {Text: "20"}}},
	}}
	a := Of(log, recording.Event{Seq: 11, Values: []recording.Value{value("20", "x")}}, "x", code{"m:5": "x, y = f(g(a)), b", "f:2": "return n", "g:2": "return n"}, 1, 5)
	var chain []string
	for _, s := range steps(t, a.Chain) {
		chain = append(chain, s.At+" "+s.Kind)
	}
	want := "m:5 assigned, f:2 returned, m:5 passed, g:2 returned, m:5 passed"
	if got := strings.Join(chain, ", "); got != want {
		t.Errorf("the chain is %q, want %q", got, want)
	}
	if n := len(steps(t, a.Chain)[0].Operands); n != 2 {
		t.Errorf("the statement has read %d operands, want 2", n)
	}
}
