package origin

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
		a := Of(log, recording.Event{Seq: 4, Values: []recording.Value{value}}, 1)
		if len(a.Chain) != 1 || a.Chain[0].Kind != Unseen || a.Chain[0].At != "a.py:9" || a.Chain[0].Operands != nil {
			t.Errorf("%s: the chain is %+v", name, a.Chain)
		}
	}
}
