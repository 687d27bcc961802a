package flow

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
)

// remembered is a value of which the memory is known that it refers to.
func remembered(v recording.Value, sum string) recording.Value {
	return extended(v, func(e *recording.Extent) { e.Memory = sum })
}

// around is a value in an object of which the memory is known since.
func around(v recording.Value, of, sum string) recording.Value {
	v.Of = of
	return extended(v, func(e *recording.Extent) { e.Around = sum })
}

// A write to a part is the last one only where what it left is still there, and where the
// whole was not seen as another after it.
func TestAChangeThatWasNotSeenIsToldBeforeTheLastThatWas(t *testing.T) {
	slice := func(text, sum string, parts ...recording.Value) recording.Value {
		return recording.Value{Text: text, Place: "10", Same: "1000", Extent: &recording.Extent{Span: 16, Memory: sum, Parts: parts}}
	}
	made := puts("1", 1, "10", v("", ""), slice("[3,1]", "s0"))
	wrote := puts("2", 1, "1000", v("3", ""), v("9", ""))
	read := func(at, thread, sum string) recording.Event {
		e := statement(at, 1, slice("", sum))
		e.Thread = thread
		return e
	}
	for name, c := range map[string]struct {
		log  []recording.Event
		seen recording.Value
		want string // "at kind since", of each step
	}{
		"nothing was":                 {[]recording.Event{made, wrote, read("3", "", "s1")}, slice("[9,1]", "s1", v("9", "1000")), "2 inside , 1 assigned "},
		"the part is another":         {[]recording.Event{made, wrote}, slice("[1,9]", "s2", v("1", "1000")), "9 unseen 2, 2 inside , 1 assigned "},
		"the whole was another":       {[]recording.Event{made, wrote, read("3", "", "s1")}, slice("[9,4]", "s2", v("9", "1000")), "9 unseen 3, 2 inside , 1 assigned "},
		"it was seen as it is before": {[]recording.Event{made, wrote, read("3", "", "s1"), read("4", "", "s2"), read("5", "", "s2")}, slice("[9,4]", "s2"), "4 unseen 3, 2 inside , 1 assigned "},
		"no part was written":         {[]recording.Event{made}, slice("[1,3]", "s2"), "9 unseen 1, 1 assigned "},
		"what holds the part was another as it was written": {
			[]recording.Event{made, puts("2", 1, "#1[0]", v("3", ""), around(v("9", ""), "1000", "s1"))}, slice("[9,4]", "s2"), "9 unseen 2, 2 inside , 1 assigned ",
		},
		"what holds the part is as it was when it was written": {
			[]recording.Event{made, puts("2", 1, "#1[0]", v("3", ""), around(v("9", ""), "1000", "s1"))}, slice("[9,1]", "s1"), "2 inside , 1 assigned ",
		},
		"another thread may have looked before": {[]recording.Event{made, wrote, read("3", "7", "s0")}, slice("[9,1]", "s1", v("9", "1000")), "2 inside , 1 assigned "},
		"another thread has looked later": {
			[]recording.Event{made, wrote, read("3", "7", "s1"), read("4", "7", "s0")}, slice("[9,1]", "s1", v("9", "1000")), "9 unseen 4, 2 inside , 1 assigned ",
		},
		"what lies around the part was written since": {
			[]recording.Event{made, wrote, puts("3", 1, "1000", v("", ""), sized(v("[1,9]", ""), 16))}, slice("[1,9]", "s2", v("1", "1000")), "3 inside , 1 assigned ",
		},
		"a part that is an object holds another thing": {
			[]recording.Event{made, puts("2", 1, "1000", v("", ""), v("{A: 1} @f0", ""))}, slice("", "s2", v("{A: 2} @f0", "1000")), "2 inside , 1 assigned ",
		},
		"a part that is an object is another": {
			[]recording.Event{made, puts("2", 1, "1000", v("", ""), v("{A: 1} @f0", ""))}, slice("", "s2", v("{A: 1} @f8", "1000")), "9 unseen 2, 2 inside , 1 assigned ",
		},
		"what a part leads to is another": {
			[]recording.Event{made, puts("2", 1, "1000", v("", ""), remembered(sized(v("{P: *{A: 1}}", ""), 8), "p"))},
			slice("", "s2", remembered(sized(v("{P: *{A: 2}}", "1000"), 8), "p")), "2 inside , 1 assigned ",
		},
	} {
		hit := recording.Event{Kind: recording.Hit, At: "9", Call: 1, Values: []recording.Value{c.seen}}
		log := append(c.log, hit)
		for i := range log {
			log[i].Seq = int64(i + 1)
		}
		a := Of(recording.Log{Events: log}, log[len(log)-1], "x", code{}, 1, 9)
		var got []string
		for _, s := range steps(t, a.Chain) {
			got = append(got, fmt.Sprint(s.At, " ", s.Kind, " ", s.Since))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: the chain is %q, not %q", name, strings.Join(got, ", "), c.want)
		}
	}
}

// A write that another thread notes only after the value was looked at may have been made
// before.
func TestAWriteThatIsNotedLateIsNotOneThatIsNotSeen(t *testing.T) {
	for name, c := range map[string]struct {
		next recording.Event
		want int // steps
	}{
		"another thread writes to a part next":    {recording.Event{Kind: recording.Write, Thread: "7", Place: "#1[1]", Values: []recording.Value{{}, around(v("4", ""), "1000", "s2")}}, 2},
		"another thread has read something first": {recording.Event{Kind: recording.Use, Thread: "7"}, 3},
		"the same thread writes to a part next":   {recording.Event{Kind: recording.Write, Place: "#1[1]", Values: []recording.Value{{}, around(v("4", ""), "1000", "s2")}}, 3},
	} {
		seen := remembered(recording.Value{Text: "[9,4]", Place: "10", Same: "1000"}, "s2")
		log := []recording.Event{
			puts("1", 1, "10", v("", ""), recording.Value{Text: "[3,1]", Place: "10", Same: "1000"}),
			puts("2", 1, "#1[0]", v("3", ""), around(v("9", ""), "1000", "s1")),
			{Kind: recording.Hit, At: "9", Call: 1, Values: []recording.Value{seen}},
			c.next,
		}
		for i := range log {
			log[i].Seq = int64(i + 1)
		}
		if a := Of(recording.Log{Events: log}, log[2], "x", code{}, 1, 9); len(a.Chain) != c.want {
			t.Errorf("%s: %d steps, not %d: %+v", name, len(a.Chain), c.want, steps(t, a.Chain))
		}
	}
}
