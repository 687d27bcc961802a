package flow

import (
	"testing"

	"aidb-mcp/internal/recording"
)

// Of a run of which the middle was only counted a chain ends where it comes to that, and says so:
// what a caller or a statement has read before is not taken for what it read then.
func TestUnkept(t *testing.T) {
	numbered := func(seq int64, e recording.Event) recording.Event { e.Seq = seq; return e }
	source := code{"2": "f(x0)", "3": "b := x0", "4": "b := f()"}
	for name, c := range map[string]struct {
		log   []recording.Event
		seen  recording.Value
		chain int
		lost  bool
	}{
		"the write is kept, and not what was before": {
			log: []recording.Event{
				numbered(1, puts("1", 1, "a0", v("", ""), v("3", ""))),
				numbered(8, statement("3", 1, v("3", "a0"))), numbered(9, puts("3", 1, "b0", v("", ""), v("3", ""))),
			},
			seen: v("3", "b0"), chain: 1, lost: true,
		},
		"the caller's statement has run before, too": {
			log: []recording.Event{
				numbered(1, puts("1", 1, "a0", v("", ""), v("3", ""))),
				numbered(2, statement("2", 1, v("3", "a0"))), numbered(9, begins("9", 7, "2", v("3", "c0"))),
			},
			seen: v("3", "c0"), chain: 1, lost: true,
		},
		"the statement began while it was not kept": {
			log: []recording.Event{
				numbered(1, statement("4", 1)), numbered(2, puts("4", 1, "b0", v("", ""), v("2", ""))),
				numbered(8, recording.Event{Kind: recording.Use, Call: 1}),
				numbered(9, puts("4", 1, "b0", recording.Value{Error: "it was not noted"}, v("3", ""))),
			},
			seen: v("3", "b0"), chain: 1, lost: true,
		},
		"all that led there is kept": {
			log: []recording.Event{
				numbered(1, puts("1", 1, "x0", v("", ""), v("9", ""))),
				numbered(7, puts("1", 1, "a0", v("", ""), v("3", ""))),
				numbered(8, statement("3", 1, v("3", "a0"))), numbered(9, puts("3", 1, "b0", v("", ""), v("3", ""))),
			},
			seen: v("3", "b0"), chain: 2,
		},
	} {
		a := Of(recording.Log{Dropped: 5, Events: c.log}, recording.Event{Seq: 10, Values: []recording.Value{c.seen}}, "x", source, 1, 5)
		if len(a.Chain) != c.chain || a.Unkept != c.lost || (a.Lost != "") != c.lost || a.Differs != "" {
			t.Errorf("%s: %d steps, lost %q, unkept %v, differs %q", name, len(a.Chain), a.Lost, a.Unkept, a.Differs)
		}
		if name == "the caller's statement has run before, too" {
			if step, _ := a.Chain[0].Get(); len(step.Operands) > 0 {
				t.Errorf("%s: it read %v", name, step.Operands)
			}
		}
	}
}
