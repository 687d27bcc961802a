package flow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/evidence"
)

// v is a value in a place; text may end in " @same" for what it refers to.
func v(text, place string) recording.Value {
	text, same, _ := strings.Cut(text, " @")
	return recording.Value{Text: text, Place: place, Same: same}
}

// extended is a value with something more that is known of it.
func extended(v recording.Value, add func(e *recording.Extent)) recording.Value {
	var e recording.Extent
	if v.Extent != nil {
		e = *v.Extent
	}
	add(&e)
	v.Extent = &e
	return v
}

func sized(v recording.Value, size int64) recording.Value {
	return extended(v, func(e *recording.Extent) { e.Size = size })
}

func spanned(v recording.Value, n int64) recording.Value {
	return extended(v, func(e *recording.Extent) { e.Span = n })
}

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
	e := recording.Event{Kind: recording.Enter, At: at, Call: call, Function: "main.f", Values: values, Stack: []string{"main.main " + from}}
	for i := range values {
		e.Names = append(e.Names, fmt.Sprint("p", i))
	}
	return e
}

func ends(at string, call int64, values ...recording.Value) recording.Event {
	return recording.Event{Kind: recording.Leave, At: at, Call: call, Function: "main.f", Values: values}
}

// code are the statements of a program by their places.
type code map[string]string

func (c code) Sources(at string) []exprsyntax.Source { return exprsyntax.Go.Sources(c[at]) }

func (c code) Carried(at, target string, operands []string) []string {
	return exprsyntax.Carried(exprsyntax.Go.Written(c[at]), c[at], target, operands)
}

func (c code) Calls(at, function string) [][]exprsyntax.Argument {
	return exprsyntax.Go.Calls(c[at], function)
}

// steps are the findings of a chain.
func steps(t *testing.T, chain []evidence.Finding[Step]) (list []Step) {
	t.Helper()
	for _, f := range chain {
		step, ok := f.Get()
		if !ok {
			t.Fatal("a step stands on nothing")
		}
		list = append(list, step)
	}
	return list
}

// Each kind of step back, in small logs.
func TestOf(t *testing.T) {
	item := "{Name: \"a\", Price: 7}"
	for name, c := range map[string]struct {
		code    code
		log     []recording.Event
		seen    recording.Value
		chain   string // "at kind", of each step
		differs string
	}{
		"assigned, through another variable": {
			code: code{"2": "b := x0"},
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("3", "")),
				statement("2", 1, v("3", "a0")), puts("2", 1, "b0", v("", ""), v("3", "")),
			},
			seen: v("3", "b0"), chain: "2 assigned, 1 assigned",
		},
		"two operands have the value": {
			code: code{"2": "b := x0 || x1"},
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
			code: code{"2": "f(x0)"},
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("3", "")),
				statement("2", 1, v("3", "a0")), begins("9", 2, "2", v("3", "c0")),
			},
			seen: v("3", "c0"), chain: "2 passed, 1 assigned",
		},
		"returned, and on in the callee": {
			code: code{"2": "err, b = f(x0)", "9": "return nil, x0"},
			log: []recording.Event{
				statement("2", 1, v("5", "a0")), begins("8", 2, "2", v("5", "c0")),
				statement("9", 2, v("5", "c0")), ends("9", 2, v("nil", "d0"), v("5", "d8")), puts("2", 1, "b0", v("", ""), v("5", "")),
			},
			seen: v("5", "b0"), chain: "2 assigned, 9 returned, 2 passed",
		},
		"returned, and changed by a deferred function": {
			code: code{"2": "b = f()", "7": "d0 *= 2", "9": "return x0"},
			log: []recording.Event{
				statement("2", 1), begins("6", 2, "2"),
				statement("9", 2, v("5", "c0")), begins("7", 3, "9"), statement("7", 3, v("5", "d0")), puts("7", 3, "d0", v("5", ""), v("10", "")),
				ends("9", 2, v("10", "d0")), puts("2", 1, "b0", v("", ""), v("10", "")),
			},
			seen: v("10", "b0"), chain: "2 assigned, 9 returned, 7 assigned",
		},
		"returned, and written to before by what the statement calls": {
			code: code{"2": "b = f()", "9": "return fill(&d0) + 1"},
			log: []recording.Event{
				statement("2", 1), begins("6", 2, "2"),
				statement("9", 2), begins("7", 3, "9"), statement("7", 3), puts("7", 3, "d0", v("0", ""), v("9", "")), ends("7", 3, v("9", "e0")),
				ends("9", 2, v("10", "d0")), puts("2", 1, "b0", v("", ""), v("10", "")),
			},
			seen: v("10", "b0"), chain: "2 assigned, 9 returned",
		},
		"filled before it was returned": {
			code: code{"2": "b = f()", "9": "return x0"},
			log: []recording.Event{
				statement("2", 1), begins("7", 2, "2"),
				puts("7", 2, "c0", v("", ""), v("[] @o1", "")), puts("8", 2, "o1[0]", v("", ""), recording.Value{Text: "7", Of: "o1"}),
				statement("9", 2, v("[7] @o1", "c0")), ends("9", 2, v("[7] @o1", "")), puts("2", 1, "b0", v("", ""), v("[7] @o1", "")),
			},
			seen: v("[7] @o1", "b0"), chain: "2 assigned, 9 returned, 8 inside, 7 assigned",
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
			code: code{"2": "f(x0)", "9": "e := x0"},
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
			code: code{"2": "a := x0"},
			log: []recording.Event{
				puts("1", 1, "a0", v("", ""), v("\"a\"", "")), statement("2", 1, sized(v(item, "c0"), 24)), puts("2", 1, "a0", v("", ""), sized(v(item, ""), 24)),
			},
			seen: v("\"a\"", "a0"), chain: "2 assigned",
		},
		"an element that was copied as the slice grew": {
			code: code{"1": "s = append(x0, x1)", "2": "s = append(x0, x1)"},
			log: []recording.Event{
				statement("1", 1, v("nil", "10"), sized(v(item, "50"), 24)), puts("1", 1, "10", v("", ""), spanned(v("[a] @100", ""), 24)),
				statement("2", 1, spanned(v("[a] @100", "10"), 24), sized(v("{}", "70"), 24)), puts("2", 1, "10", v("", ""), spanned(v("[a,] @200", ""), 48)),
			},
			seen: v("7", "210"), chain: "2 made, 1 made",
		},
		"an element that was put behind the others": {
			code: code{"2": "s = append(x0, x1)"},
			log: []recording.Event{
				puts("1", 1, "70", v("", ""), sized(v(item, ""), 24)),
				statement("2", 1, spanned(v("[a] @100", "10"), 24), sized(v(item, "70"), 24)), puts("2", 1, "10", v("", ""), spanned(v("[a,b] @200", ""), 48)),
			},
			seen: v("7", "228"), chain: "2 made, 1 assigned",
		},
		"an element that was put behind a slice which another shares": {
			code: code{"1": "t := append(x0, x1)", "2": "u := append(x0, x1)"},
			log: []recording.Event{
				statement("1", 1, spanned(v("[a] @100", "10"), 16), v("x", "70")), puts("1", 1, "20", v("", ""), spanned(v("[a,x] @100", ""), 32)),
				statement("2", 1, spanned(v("[a] @100", "10"), 16), v("y", "80")), puts("2", 1, "30", v("", ""), spanned(v("[a,y] @100", ""), 32)),
			},
			seen: v("y", "110"), chain: "2 made",
		},
		"a field of a result": {
			code: code{"2": "b := x0.f().Price", "9": "return x0"},
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
			a := Of(recording.Log{Events: c.log}, recording.Event{Kind: recording.Hit, Seq: int64(len(c.log) + 1), Values: []recording.Value{c.seen}}, "x", c.code, 1, 5)
			var chain []string
			for _, step := range steps(t, a.Chain) {
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
	a := Of(log, recording.Event{Seq: 8, Values: []recording.Value{v("3", "a0")}}, "x", code{}, 1, 3)
	if len(a.Chain) != 0 || !strings.Contains(a.Differs, "was not kept") {
		t.Errorf("the answer is %+v", a)
	}
}

// Where the calls are known the write needs no stack of its own.
func TestStackOfTheCall(t *testing.T) {
	log := []recording.Event{begins("5", 2, "1"), puts("6", 2, "a0", v("", ""), v("3", ""))}
	log[0].Seq, log[1].Seq = 1, 2
	a := Of(recording.Log{Events: log}, recording.Event{Seq: 3, Values: []recording.Value{v("3", "a0")}}, "x", code{}, 1, 1)
	if chain := steps(t, a.Chain); len(chain) != 1 || len(chain[0].Stack) != 1 || chain[0].Stack[0] != "main.main 1" {
		t.Errorf("the answer is %+v", a)
	}
}

// A value that was passed stands at the caller's statement, whose callers are told: not the
// caller as its own.
func TestStackOfThePassed(t *testing.T) {
	enter := begins("5", 3, "2", v("3", "b0"))
	enter.Stack = []string{"main.g 2", "main.main 1"}
	log := []recording.Event{enter}
	log[0].Seq = 1
	a := Of(recording.Log{Events: log}, recording.Event{Seq: 2, Values: []recording.Value{v("3", "b0")}}, "x", code{}, 1, 1)
	chain := steps(t, a.Chain)
	if len(chain) != 1 || chain[0].Kind != Passed || chain[0].At != "2" || chain[0].Function != "main.g" || strings.Join(chain[0].Stack, ", ") != "main.main 1" {
		t.Errorf("the answer is %+v", a)
	}
}

// A value that only happens to be equal was not handed over: what the source works out,
// names otherwise or makes by a call that was not seen ends the chain, with what was read.
func TestNoCauseByEqualText(t *testing.T) {
	for name, c := range map[string]struct{ statement, want string }{
		"assigned":                          {"y := x0", "2 assigned, 1 assigned"},
		"worked out":                        {"y := x0 - x1", "2 assigned"},
		"worked out with what was there":    {"y -= x0", "2 assigned"},
		"an index":                          {"y := z[x0]", "2 assigned"},
		"a literal that is equal":           {"y := x1 || 3", "2 assigned"},
		"a choice that only one can be":     {"y := x0 || x1", "2 assigned, 1 assigned"},
		"an argument of a call not seen":    {"y := abs(x0)", "2 assigned"},
		"not among what the source reads":   {"y := z", "2 assigned"},
		"several on one line":               {"y := x0; x1++", "2 assigned"},
		"a source that nobody can read":     {"", "2 assigned"},
		"a source that is a comment and it": {"y := x0 // - x1", "2 assigned, 1 assigned"},
	} {
		log := []recording.Event{
			puts("1", 1, "a0", v("", ""), v("3", "")),
			statement("2", 1, v("3", "a0"), v("5", "c0")), puts("2", 1, "b0", v("", ""), v("3", "")),
		}
		for i := range log {
			log[i].Seq = int64(i + 1)
		}
		a := Of(recording.Log{Events: log}, recording.Event{Seq: 9, Values: []recording.Value{v("3", "b0")}}, "y", code{"2": c.statement}, 1, 5)
		var chain []string
		for _, step := range steps(t, a.Chain) {
			chain = append(chain, step.At+" "+step.Kind)
		}
		if got := strings.Join(chain, ", "); got != c.want {
			t.Errorf("%s: the chain is %q, want %q", name, got, c.want)
		}
	}
}

// The argument that was given is the one in the parameter's place, and not another of the
// same value.
func TestArgumentInItsPlace(t *testing.T) {
	for name, c := range map[string]struct{ statement, want string }{
		"in its place":       {"f(x1, x0)", "2 passed, 1 assigned"},
		"in another":         {"f(x0, 1+2)", "2 passed"},
		"of another call":    {"g(x0)", "2 passed"},
		"worked out":         {"f(x1, x0*1)", "2 passed"},
		"of one of two":      {"f(x1, x0) + f(x0, 3)", "2 passed"},
		"of both, the same":  {"f(x1, x0) + f(2, x0)", "2 passed, 1 assigned"},
		"more than it takes": {"f(x1, x0, x1)", "2 passed"},
		"one left out":       {"f(x0)", "2 passed"},
	} {
		log := []recording.Event{
			puts("1", 1, "a0", v("", ""), v("3", "")),
			statement("2", 1, v("3", "a0"), v("5", "c0")), begins("8", 2, "2", v("5", "d0"), v("3", "e0")),
		}
		for i := range log {
			log[i].Seq = int64(i + 1)
		}
		a := Of(recording.Log{Events: log}, recording.Event{Seq: 9, Values: []recording.Value{v("3", "e0")}}, "p1", code{"2": c.statement}, 1, 5)
		var chain []string
		for _, step := range steps(t, a.Chain) {
			chain = append(chain, step.At+" "+step.Kind)
		}
		if got := strings.Join(chain, ", "); got != c.want {
			t.Errorf("%s: the chain is %q, want %q", name, got, c.want)
		}
	}
}

// A step stands on the write that was noted and on the reading that led there; without
// the one or the other there is none.
func TestAStepStandsOnWhatWasRead(t *testing.T) {
	log := func() []recording.Event {
		return []recording.Event{
			{Kind: recording.Write, Seq: 1, At: "1", Call: 1, Place: "a0", Values: []recording.Value{{}, v("3", "")}},
			{Kind: recording.Use, Seq: 2, At: "2", Call: 1, Names: []string{"x0"}, Values: []recording.Value{v("3", "a0")}},
			{Kind: recording.Write, Seq: 3, At: "2", Call: 1, Place: "b0", Values: []recording.Value{{}, v("3", "")}},
		}
	}
	of := func(events []recording.Event) Answer {
		return Of(recording.Log{Events: events}, recording.Event{Seq: 4, At: "5", Values: []recording.Value{v("3", "b0")}}, "y", code{"2": "y := x0"}, 2, 5)
	}
	a := of(log())
	if len(a.Chain) != 2 {
		t.Fatalf("the answer is %+v", a)
	}
	want := []string{"run 2, event 3, 2: assigned = 3", "run 2, event 4, 5: y = 3", "run 2, event 1, 1: assigned = 3", "run 2, event 2, 2: x0 = 3"}
	var got []string
	for _, o := range append(a.Chain[0].Stands(), a.Chain[1].Stands()...) {
		got = append(got, o.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("it stands on %q", got)
	}
	unread := log()
	unread[1].Names, unread[1].Values = nil, nil
	if a := of(unread); len(a.Chain) != 1 {
		t.Errorf("it goes on to what was not read: %+v", a)
	}
	other := log()
	other[1].Values[0].Text = "4"
	if a := of(other); len(a.Chain) != 1 {
		t.Errorf("it goes on to what had another value: %+v", a)
	}
	cut := log()
	for i := range cut {
		for j := range cut[i].Values {
			cut[i].Values[j].Cut = true
		}
	}
	if a := of(cut); len(a.Chain) != 1 {
		t.Errorf("it goes on to what was not compared in full: %+v", a)
	}
	if a := of(log()[:2]); len(a.Chain) != 0 {
		t.Errorf("there is a write that was not noted: %+v", a)
	}
}
