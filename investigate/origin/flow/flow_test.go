package flow

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// v is a value in a place; text may end in " @same" for what it refers to.
func v(text, place string) recording.Value {
	text, same, _ := strings.Cut(text, " @")
	return recording.Value{Text: text, Place: place, Same: same}
}

func sized(v recording.Value, size int64) recording.Value { v.Size = size; return v }
func spanned(v recording.Value, n int64) recording.Value  { v.Span = n; return v }

func puts(at string, call int64, place string, was, now recording.Value) recording.Event {
	return recording.Event{Kind: recording.Write, At: at, Call: call, Place: place, Values: []recording.Value{was, now}}
}

func statement(at string, call int64, values ...recording.Value) recording.Event {
	e := recording.Event{Kind: recording.Use, At: at, Call: call, Values: values}
	for i := range values {
		e.Names = append(e.Names, fmt.Sprint("x", i))
	}
	return e
}

func begins(at string, call int64, from string, values ...recording.Value) recording.Event {
	return recording.Event{Kind: recording.Enter, At: at, Call: call, Values: values, Stack: []string{"main.main " + from}}
}

func ends(at string, call int64, values ...recording.Value) recording.Event {
	return recording.Event{Kind: recording.Leave, At: at, Call: call, Values: values}
}

// Each kind of step back, in small logs.
func TestOf(t *testing.T) {
	item := "{Name: \"a\", Price: 7}"
	for name, c := range map[string]struct {
		log     []recording.Event
		seen    recording.Value
		chain   string // "at kind", of each step
		differs string
	}{
		"assigned, through another variable": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("3", "")),
				statement("2", 1, v("3", "a0")), puts("2", 1, "b0", v("", ""), v("3", "")),
			},
			seen: v("3", "b0"), chain: "2 assigned, 1 assigned",
		},
		"two operands have the value": {
			log: []recording.Event{
				statement("2", 1, v("3", "a0"), v("3", "a8")), puts("2", 1, "b0", v("", ""), v("3", "")),
				puts("1", 1, "a0", v("", ""), v("3", "")),
			},
			seen: v("3", "b0"), chain: "2 assigned",
		},
		"changed by something else since": {
			log:  []recording.Event{puts("1", 1, "a0", v("", ""), v("3", ""))},
			seen: v("4", "a0"), differs: "left 3 there",
		},
		"changed by a call": {
			log:  []recording.Event{statement("1", 1, v("[]", "a0")), puts("1", 1, "o1[*]", v("", ""), v("[9]", ""))},
			seen: v("9", "o1[0]"), chain: "1 changed",
		},
		"passed, and on in the caller": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("3", "")),
				statement("2", 1, v("3", "a0")), begins("9", 2, "2", v("3", "c0")),
			},
			seen: v("3", "c0"), chain: "2 passed, 1 assigned",
		},
		"returned, and on in the callee": {
			log: []recording.Event{
				statement("2", 1, v("5", "a0")), begins("8", 2, "2", v("5", "c0")),
				statement("9", 2, v("5", "c0")), ends("9", 2, v("nil", "d0"), v("5", "d8")), puts("2", 1, "b0", v("", ""), v("5", "")),
			},
			seen: v("5", "b0"), chain: "2 assigned, 9 returned, 2 passed",
		},
		"made with the object that holds it": {
			log:  []recording.Event{puts("1", 1, "a0", v("", ""), v("[] @f0", "")), puts("2", 1, "b0", v("", ""), v("1", ""))},
			seen: recording.Value{Text: "0", Place: "f0[k]", Of: "f0"}, chain: "1 made",
		},
		"never written": {
			log:  []recording.Event{puts("1", 1, "a0", v("", ""), v("1", ""))},
			seen: v("0", "b0"),
		},
		"a field of a struct that was assigned, passed and assigned": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), sized(v(item, ""), 24)),
				statement("2", 1, sized(v(item, "a0"), 24)), begins("8", 2, "2", sized(v(item, "c0"), 24)),
				statement("9", 2, sized(v(item, "c0"), 24)), puts("9", 2, "e0", v("", ""), sized(v(item, ""), 24)),
			},
			seen: v("7", "f0"), chain: "9 assigned, 2 passed, 1 assigned",
		},
		"a field that was written by itself after its struct": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), sized(v(item, ""), 24)), puts("2", 1, "b0", v("7", ""), v("8", "")),
			},
			seen: v("8", "b0"), chain: "2 assigned",
		},
		"a struct of which a field was written": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), sized(v(item, ""), 24)), puts("2", 1, "b0", v("7", ""), v("8", "")),
			},
			seen: sized(v("{Name: \"a\", Price: 8}", "a0"), 24), chain: "2 inside, 1 assigned",
		},
		"a first field lies where its struct does": {
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("\"a\"", "")), statement("2", 1, sized(v(item, "c0"), 24)), puts("2", 1, "a0", v("", ""), sized(v(item, ""), 24)),
			},
			seen: v("\"a\"", "a0"), chain: "2 assigned",
		},
		"an element that was copied as the slice grew": {
			log: []recording.Event{
				statement("1", 1, v("nil", "10"), sized(v(item, "50"), 24)), puts("1", 1, "10", v("", ""), spanned(v("[a] @100", ""), 24)),
				statement("2", 1, spanned(v("[a] @100", "10"), 24), sized(v("{}", "70"), 24)), puts("2", 1, "10", v("", ""), spanned(v("[a,] @200", ""), 48)),
			},
			seen: v("7", "210"), chain: "2 made, 1 made",
		},
		"an element that was put behind the others": {
			log: []recording.Event{
				puts("1", 1, "70", v("", ""), sized(v(item, ""), 24)),
				statement("2", 1, spanned(v("[a] @100", "10"), 24), sized(v(item, "70"), 24)), puts("2", 1, "10", v("", ""), spanned(v("[a,b] @200", ""), 48)),
			},
			seen: v("7", "228"), chain: "2 made, 1 assigned",
		},
		"an element that was put behind a slice which another shares": {
			log: []recording.Event{
				statement("1", 1, spanned(v("[a] @100", "10"), 16), v("x", "70")), puts("1", 1, "20", v("", ""), spanned(v("[a,x] @100", ""), 32)),
				statement("2", 1, spanned(v("[a] @100", "10"), 16), v("y", "80")), puts("2", 1, "30", v("", ""), spanned(v("[a,y] @100", ""), 32)),
			},
			seen: v("y", "110"), chain: "2 made",
		},
		"a field of a result": {
			log: []recording.Event{
				puts("1", 1, "100", v("", ""), sized(v(item, ""), 24)),
				statement("2", 1, spanned(v("{} @50", "10"), 8)), begins("8", 2, "2"),
				statement("9", 2, sized(v(item, "100"), 24)), ends("9", 2, sized(v(item, "d0"), 24)), puts("2", 1, "b0", v("", ""), v("7", "")),
			},
			seen: v("7", "b0"), chain: "2 assigned, 9 returned, 1 assigned",
		},
		"made by a function that has returned it": {
			log: []recording.Event{
				begins("5", 2, "1"), ends("6", 2, spanned(v("{} @100", "d0"), 24)), puts("1", 1, "a0", v("", ""), spanned(v("{} @100", ""), 24)),
			},
			seen: v("0", "108"), chain: "6 made",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.log {
				c.log[i].Seq = int64(i + 1)
			}
			a := Of(recording.Log{Events: c.log}, recording.Event{Kind: recording.Hit, Seq: int64(len(c.log) + 1), Values: []recording.Value{c.seen}}, 5)
			var chain []string
			for _, step := range a.Chain {
				chain = append(chain, step.At+" "+step.Kind)
			}
			if got := strings.Join(chain, ", "); got != c.chain || !strings.Contains(a.Differs, c.differs) || (c.differs == "") != (a.Differs == "") {
				t.Errorf("the chain is %q, want %q; it differs: %q, want %q", got, c.chain, a.Differs, c.differs)
			}
		})
	}
}

// What was dropped in between is not believed to be nothing.
func TestLost(t *testing.T) {
	log := recording.Log{Dropped: 5, Events: []recording.Event{puts("1", 1, "a0", v("", ""), v("3", "")), puts("2", 1, "b0", v("", ""), v("1", ""))}}
	log.Events[0].Seq, log.Events[1].Seq = 1, 7
	a := Of(log, recording.Event{Seq: 8, Values: []recording.Value{v("3", "a0")}}, 3)
	if len(a.Chain) != 0 || !strings.Contains(a.Differs, "was not kept") {
		t.Errorf("the answer is %+v", a)
	}
}

// Where the calls are known the write needs no stack of its own.
func TestStackOfTheCall(t *testing.T) {
	log := []recording.Event{begins("5", 2, "1"), puts("6", 2, "a0", v("", ""), v("3", ""))}
	log[0].Seq, log[1].Seq = 1, 2
	a := Of(recording.Log{Events: log}, recording.Event{Seq: 3, Values: []recording.Value{v("3", "a0")}}, 1)
	if len(a.Chain) != 1 || len(a.Chain[0].Stack) != 1 || a.Chain[0].Stack[0] != "main.main 1" {
		t.Errorf("the answer is %+v", a)
	}
}
