package flow

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// A change that was found, and not seen, is told as that: no statement is guilty of it.
func TestUnseen(t *testing.T) {
	write := func(seq int64, at, place, was, now, text string) recording.Event {
		return recording.Event{
			Kind: recording.Write, Seq: seq, At: at, Place: place, Text: text,
			Values: []recording.Value{{Text: was}, {Text: now, Of: "o1"}},
		}
	}
	log := recording.Log{Events: []recording.Event{
		write(1, "a.py:1", "o1.a", "", "1", ""),
		{Kind: recording.Use, Seq: 2, At: "a.py:9", Names: []string{"n"}, Values: []recording.Value{{Text: "2", Place: "n"}}},
		write(3, "a.py:9", "o1.a", "1", "2", "unseen"),
	}}
	for name, value := range map[string]recording.Value{
		"the member": {Text: "2", Place: "o1.a", Of: "o1"},
		"the object": {Text: "A(a=2)", Place: "global p", Same: "o1"},
	} {
		a := Of(log, recording.Event{Seq: 4, Values: []recording.Value{value}}, "x", code{}, 1, 1)
		if chain := steps(t, a.Chain); len(chain) != 1 || chain[0].Kind != Unseen || chain[0].At != "a.py:9" || chain[0].Operands != nil {
			t.Errorf("%s: the chain is %+v", name, a.Chain)
		}
	}
}

// What was not kept may have written to it: nothing before that is believed, and what
// the count of writes would be is not told.
func TestNotKept(t *testing.T) {
	log := recording.Log{Dropped: 6, Events: []recording.Event{
		{Kind: recording.Write, Seq: 1, At: "a.py:1", Place: "global p", Values: []recording.Value{{}, {Text: "A(a=1)", Same: "o1"}}},
		{Kind: recording.Write, Seq: 2, At: "a.py:2", Place: "o1.a", Values: []recording.Value{{}, {Text: "1", Of: "o1"}}},
		{Kind: recording.Write, Seq: 9, At: "a.py:9", Place: "o1.b", Values: []recording.Value{{}, {Text: "2", Of: "o1"}}},
	}}
	of := func(place, text string) Answer {
		return Of(log, recording.Event{Seq: 10, Values: []recording.Value{{Text: text, Place: place, Of: "o1"}}}, "x", code{}, 1, 1)
	}
	if a := of("o1.a", "1"); a.Differs == "" || len(a.Chain) > 0 {
		t.Errorf("a write before those that were not kept is believed: %+v", a)
	}
	if a := of("o1.b", "2"); len(a.Chain) != 1 || steps(t, a.Chain)[0].Hit != 0 {
		t.Errorf("the write after them is not told alone: %+v", a)
	}
}
