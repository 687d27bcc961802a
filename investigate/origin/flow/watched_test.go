package flow

import (
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

const (
	left = "0x10|4|int|main|0x40"
	seen = "0x14|4|int|main|0x40"
	heap = "0x99|4|int"
)

func valued(text, place string) recording.Value { return recording.Value{Text: text, Place: place} }

func reads(names []string, values ...recording.Value) recording.Event {
	return recording.Event{Kind: recording.Use, Names: names, Values: values}
}

func written(place, at, was, now string, n int64) recording.Event {
	return recording.Event{Kind: recording.Write, Place: place, At: at, Hit: n, Values: []recording.Value{{Text: was}, {Text: now}}}
}

func passes(n int64, v recording.Value) recording.Event {
	return recording.Event{Kind: recording.Hit, Hit: n, Values: []recording.Value{v}}
}

func TestWatched(t *testing.T) {
	asked := Sight{Value: valued("3", seen), Anchor: Anchor{N: 2}}
	fresh := recording.Event{Kind: recording.Fresh, Place: seen, Text: "call", At: "m.cpp:1"}
	plain := []recording.Event{fresh, reads([]string{"left"}, valued("3", left)), written(seen, "m.cpp:5", "", "3", 1), passes(1, valued("9", seen)), passes(2, valued("3", seen))}
	for name, c := range map[string]struct {
		code     code
		log      []recording.Event
		sight    Sight
		at, kind string
		next     string
		writes   int
		differs  bool
		unseen   bool
	}{
		"an assignment, and on to what it read": {code: code{"m.cpp:5": "seen = left"}, log: plain, sight: asked, at: "m.cpp:5", kind: Assigned, next: left, writes: 1},
		"an earlier owner's write is none": {
			log:   []recording.Event{written(seen, "m.cpp:4", "", "3", 1), fresh, passes(2, valued("3", seen))},
			sight: asked, unseen: true,
		},
		"made with its memory": {
			log:   []recording.Event{{Kind: recording.Fresh, Place: heap, Text: "allocation", At: "m.cpp:7"}, passes(2, valued("0", heap))},
			sight: Sight{Value: valued("0", heap), Anchor: Anchor{N: 2}}, at: "m.cpp:7", kind: Made,
		},
		"another value than the last write's": {
			log:   []recording.Event{written(seen, "m.cpp:5", "", "4", 1), passes(2, valued("3", seen))},
			sight: asked, differs: true,
		},
		"elsewhere in the next run": {log: []recording.Event{passes(2, valued("3", left))}, sight: asked, differs: true},
		"never there again":         {log: []recording.Event{passes(1, valued("3", seen))}, sight: asked, differs: true},
		"before a write to another place": {
			log:   []recording.Event{written(left, "m.cpp:2", "", "3", 1), written(seen, "m.cpp:5", "", "3", 1), written(left, "m.cpp:6", "3", "8", 2)},
			sight: Sight{Value: valued("3", left), Anchor: Anchor{Place: seen, N: 1, Value: valued("3", seen)}}, at: "m.cpp:2", kind: Assigned, writes: 1,
		},
		"worked out from what has its value": {code: code{"m.cpp:5": "seen = left + 0"}, log: plain, sight: asked, at: "m.cpp:5", kind: Assigned, writes: 1},
		"an argument": {
			code: code{"m.cpp:9": "f(b)"},
			log: []recording.Event{
				reads([]string{"a", "b"}, valued("1", left), valued("3", heap)),
				{Kind: recording.Enter, Hit: 1, Function: "f(int)", Names: []string{"n"}, Values: []recording.Value{valued("3", seen)}, Stack: []string{"main m.cpp:9"}}, passes(2, valued("3", seen)),
			},
			sight: asked, at: "m.cpp:9", kind: Passed, next: heap, writes: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.sight.Led = evidence.Observation{What: "x"}
			f := Watched(recording.Log{Events: c.log}, c.sight, c.code, 1)
			var at, kind, next string
			if step, ok := f.Step.Get(); ok {
				at, kind = step.At, step.Kind
			}
			if f.Next != nil {
				next = f.Next.Value.Place
			}
			if at != c.at || kind != c.kind || next != c.next || f.Writes != c.writes || (f.Differs != "") != c.differs || f.Unseen != c.unseen {
				t.Errorf("it is %s %q, on to %q, %d writes, differs %q, unseen %v", at, kind, next, f.Writes, f.Differs, f.Unseen)
			}
		})
	}
}

// Of very many writes the middle ones are left out: what is said of the last one must not lean on them.
func TestWatchedByAClock(t *testing.T) {
	t.Parallel()
	skips := func(clock string, n int64, places ...string) recording.Event {
		return recording.Event{Kind: recording.Skipped, Place: clock, Hit: n, Names: places}
	}
	asked := Sight{Value: valued("3", seen), Anchor: Anchor{N: 1}, Led: evidence.Observation{What: "x"}}
	first, last, pass := written(seen, "m.cpp:4", "", "3", 1), written(seen, "m.cpp:5", "", "3", -7), passes(1, valued("3", seen))
	for name, c := range map[string]struct {
		log    []recording.Event
		at     string
		unkept bool
		clock  string
	}{
		"it is among the last ones":           {log: []recording.Event{first, skips("c", 0, seen), skips("", 90, seen), last, pass}, at: "m.cpp:5"},
		"there is none among the last ones":   {log: []recording.Event{first, skips("c", 0, seen), skips("", 90, seen), pass}, unkept: true},
		"the last ones are still to come":     {log: []recording.Event{first, skips("c", 0, seen), skips("c", 99, seen), pass}, unkept: true, clock: "c"},
		"of another place some were left out": {log: []recording.Event{first, skips("c", 0, left), skips("", 90, left), pass}, at: "m.cpp:4"},
	} {
		for i := range c.log {
			c.log[i].Seq = int64(2 * (i + 1)) // nobody knows how many there were
			if c.log[i].Kind != recording.Skipped {
				c.log[i].Seq = int64(2*(i+1)) - 1
			}
		}
		c.log[len(c.log)-1].Seq = c.log[len(c.log)-2].Seq + 1
		f := Watched(recording.Log{Events: c.log}, asked, code{}, 1)
		step, _ := f.Step.Get()
		if f.Unkept() != c.unkept || f.Clock != c.clock || f.Step.Is() != (c.at != "") || f.Step.Is() && (step.At != c.at || step.Hit < 0) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestGiven(t *testing.T) {
	wrote := Anchor{Place: seen, N: 1, Value: valued("3", seen)}
	left := func(text string) []recording.Event {
		u := reads([]string{"cut"}, valued(text, heap))
		u.Call, u.At = 4, "m.cpp:3"
		return []recording.Event{u, {Kind: recording.Leave, Call: 4, At: "m.cpp:3", Function: "f(int)", Values: []recording.Value{{Text: text}}}}
	}
	after := written(seen, "m.cpp:5", "", "3", 1)
	c := code{"m.cpp:5": "seen = f(x)", "m.cpp:3": "return cut"}
	if f, next, _ := Given(recording.Log{Events: append(left("3"), after)}, wrote, c, 1); !f.Is() || steps(t, []evidence.Finding[Step]{f})[0].At != "m.cpp:3" || next == nil || next.Value.Place != heap {
		t.Errorf("the result came from m.cpp:3, not %v %v", f, next)
	}
	if step, _, _ := Given(recording.Log{Events: append(left("3"), after)}, wrote, code{"m.cpp:5": "seen = f(x) + y"}, 1); step.Is() {
		t.Errorf("what was added to it is left out: %v", step)
	}
	if step, _, _ := Given(recording.Log{Events: append(left("4"), after)}, wrote, c, 1); step.Is() {
		t.Errorf("a call that gave 4 did not give 3: %v", step)
	}
	if _, _, differs := Given(recording.Log{Events: left("3")}, wrote, c, 1); differs == "" {
		t.Error("a run that did not come to the write shows nothing, and that is not told")
	}
}
