package breakpoints

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"
)

func TestPut(t *testing.T) {
	for name, c := range map[string]struct {
		there   []Spec
		put     Spec
		id      int // given with the spec
		want    int // id of the one that asks for it then
		changed bool
	}{
		"beside nothing":                         {nil, at(2), 0, 1, false},
		"the same again":                         {[]Spec{at(2)}, at(2), 0, 1, false},
		"a condition for a plain one":            {[]Spec{at(2)}, at(2, when("a")), 0, 1, true},
		"a plain one for a condition":            {[]Spec{at(2, when("a"))}, at(2), 0, 1, true},
		"another condition stands beside":        {[]Spec{at(2, when("a"))}, at(2, when("b")), 0, 2, false},
		"a message stands beside a stop":         {[]Spec{at(2)}, at(2, saying("x")), 0, 2, false},
		"a message in place of a stop, by id":    {[]Spec{at(2)}, at(2, saying("x")), 1, 1, true},
		"another column is another place":        {[]Spec{at(2)}, at(2, func(w *Spec) { w.Column = 3 }), 0, 2, false},
		"a function in a file is not one in any": {[]Spec{{Kind: Function, Function: "f"}}, Spec{Kind: Function, Function: "f", File: "a.go"}, 0, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			var s Set
			for _, w := range c.there {
				s.Add(w, file)
			}
			before := s.List()
			id, former := s.Put(c.put, c.id, file)
			b, _ := s.Get(id)
			if id != c.want || former.Changed != c.changed || !b.sameExtras(c.put) {
				t.Errorf("id %d, former %+v, now %+v", id, former, b)
			}
			s.Undo(former)
			if diff := cmp.Diff(before, s.List()); diff != "" {
				t.Errorf("after undo (-before +after):\n%s", diff)
			}
		})
	}
}

func TestPlanSendsOnePlaceOnce(t *testing.T) {
	var s Set
	for _, w := range []Spec{at(2, when("a")), at(2, saying("x")), at(5, when("b"), saying("y")), at(6, count("%2"))} {
		s.Add(w, file)
	}
	r := s.PlanOf(Home{Line, "a.go"}, Connection{Capabilities: able}, Trial{})
	want := []godap.SourceBreakpoint{{Line: 2}, {Line: 5, Condition: "b", LogMessage: "y"}, {Line: 6, HitCondition: "%2"}}
	var got []godap.SourceBreakpoint
	for _, b := range r.Arguments.(sourceArguments).Breakpoints {
		got = append(got, b.SourceBreakpoint)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r = s.PlanOf(Home{Line, "a.go"}, Connection{Capabilities: able}, Trial{ID: 3, Bare: true})
	if b := r.Arguments.(sourceArguments).Breakpoints[1]; b.Condition != "" || b.LogMessage != "" {
		t.Errorf("bare: %+v", b)
	}
	r = s.PlanOf(Home{Line, "a.go"}, Connection{Capabilities: able}, Trial{ID: 3, Hide: true})
	if n := len(r.Arguments.(sourceArguments).Breakpoints); n != 2 {
		t.Errorf("%d are sent with one hidden", n)
	}
}

func TestApply(t *testing.T) {
	for name, c := range map[string]struct {
		spec Spec
		said godap.Breakpoint
		want Breakpoint
	}{
		"bound":           {at(2), godap.Breakpoint{Id: 7, Verified: true, Line: 2}, Breakpoint{Line: 2, Verified: true, Text: "two"}},
		"moved":           {at(4), godap.Breakpoint{Id: 7, Verified: true, Line: 5}, Breakpoint{Line: 5, Verified: true, Text: "five", MovedFrom: 4, MovedWhy: "no code on the asked line"}},
		"refused":         {at(4), godap.Breakpoint{Message: "no code"}, Breakpoint{Line: 4, Message: "no code"}},
		"a blank line":    {at(4), godap.Breakpoint{Verified: true, Line: 4}, Breakpoint{Line: 4}},
		"beyond the end":  {at(40), godap.Breakpoint{Verified: true, Line: 40}, Breakpoint{Line: 40}},
		"in another file": {Spec{Kind: Function, Function: "f", File: "b.go"}, godap.Breakpoint{Verified: true, Line: 2, Source: &godap.Source{Path: "a.go"}}, Breakpoint{Line: 2, At: "a.go", Message: "the debugger finds the function f in a.go, and only hits in the asked file count; use file:line for another of this name"}},
	} {
		t.Run(name, func(t *testing.T) {
			var s Set
			conn := Connection{Main: true, Capabilities: able}
			id := s.Add(c.spec, file)
			s.Apply(conn, s.Plan(conn)[0], []godap.Breakpoint{c.said}, file)
			c.want.ID, c.want.Spec, c.want.Enabled = id, c.spec, true
			got, _ := s.Get(id)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What a part of the program has not loaded may be bound in another.
func TestOnlyGoodNewsOfOtherConnectionsCounts(t *testing.T) {
	var s Set
	main, other := Connection{N: 0, Main: true}, Connection{N: 1}
	s.Add(at(2), file)
	r := s.Plan(main)[0]
	s.Apply(main, r, []godap.Breakpoint{{Id: 1, Message: "not loaded"}}, file)
	s.Apply(other, r, []godap.Breakpoint{{Id: 1, Verified: true, Line: 2}}, file)
	s.Apply(other, r, []godap.Breakpoint{{Id: 1, Message: "not loaded"}}, file)
	if b := s.List()[0]; !b.Verified {
		t.Errorf("%+v", b)
	}
	s.Update(main, godap.BreakpointEventBody{Reason: "removed", Breakpoint: godap.Breakpoint{Id: 1}}, file)
	if b := s.List()[0]; b.Verified {
		t.Errorf("after its removal: %+v", b)
	}
}

// Some adapters answer a request that changes nothing for them with nothing.
func TestAnEmptyReplyLeavesWhatIsBound(t *testing.T) {
	var s Set
	s.Add(at(2), file)
	c := bind(&s, able)
	id := s.Add(at(2, until), file)
	s.Apply(c, s.Plan(c)[0], nil, file)
	if b, _ := s.Get(id); !b.Verified || b.Line != 2 {
		t.Errorf("%+v", b)
	}
	if d := pass(&s, "breakpoint"); d.Reached != "a.go:2" || !slices.Equal(d.Hit, []int{1}) {
		t.Errorf("%+v", d)
	}
}

func TestFollow(t *testing.T) {
	var s Set
	s.Add(at(2), file)
	s.Add(at(5), file)
	s.Follow(text{"zero", "one", "two", "three"})
	list := s.List()
	if b := list[0]; b.Line != 3 || b.MovedFrom != 2 || b.MovedWhy != "edited" || b.Spec.Line != 3 {
		t.Errorf("moved: %+v", b)
	}
	if r := s.PlanOf(Home{Line, "a.go"}, Connection{}, Trial{}); list[1].Message == "" || len(r.groups) != 1 {
		t.Errorf("gone: %+v", list[1])
	}
}

func TestNewsComesOnce(t *testing.T) {
	var s Set
	id := s.Add(at(4), file)
	if n := s.News(); len(n) != 1 || n[0].ID != id {
		t.Errorf("news %v", n)
	}
	if n := s.News(); len(n) != 0 {
		t.Errorf("again %v", n)
	}
	s.Explain(id, "line 4 is blank", []int{5}, nil)
	if n := s.News(); len(n) != 1 {
		t.Errorf("when it changes %v", n)
	}
}

func TestMessageParts(t *testing.T) {
	for message, want := range map[string][]Part{
		"plain":             {{Text: "plain"}},
		"i={i}, {@1 o.id}":  {{Text: "i="}, {Expression: Expression{"i", 0}}, {Text: ", "}, {Expression: Expression{"o.id", 1}}},
		`{ {"a": 1}["a"] }`: {{Expression: Expression{`{"a": 1}["a"]`, 0}}},
		"{} {open":          {{Text: "{}"}, {Text: " {open"}},
	} {
		if diff := cmp.Diff(want, MessageParts(message)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", message, diff)
		}
	}
	if got := (Expression{"x", 2}).String(); ParseExpression(got) != (Expression{"x", 2}) {
		t.Errorf("%q", got)
	}
}

func TestUnbindKeepsWhatWasAsked(t *testing.T) {
	var s Set
	s.Add(at(2), file)
	s.Add(at(3, until), file)
	bind(&s, able)
	s.Unbind()
	if list := s.List(); len(s.Temporary()) != 0 || !slices.ContainsFunc(list, func(b Breakpoint) bool { return b.Verified }) {
		t.Errorf("%+v", list)
	}
	s.Reset()
	if b := s.List()[0]; b.Verified || b.Hits != 0 {
		t.Errorf("%+v", b)
	}
}

// That a function is one of several of its name, and where the others are, is said
// too where an adapter has not bound it.
func TestOneOfSeveralFunctions(t *testing.T) {
	const several = "2 functions are called so; this is the first, beside a.go:5: name its class or module too, or give its file"
	var s Set
	conn := Connection{Main: true}
	id := s.Add(Spec{Kind: Function, Function: "f"}, file)
	s.Locate(id, []Definition{{"a.go", 2}, {"a.go", 5}}, []string{"a.go:5"})
	s.Apply(conn, s.Plan(conn)[0], []godap.Breakpoint{{Id: 7, Message: "not loaded"}}, file)
	message := func() string { b, _ := s.Get(id); return b.Message }
	if got := message(); got != "not loaded; "+several {
		t.Error(got)
	}
	s.Explain(id, "not loaded yet", nil, nil)
	if got := message(); got != "not loaded yet; "+several {
		t.Error(got)
	}
	s.Update(conn, godap.BreakpointEventBody{Reason: "changed", Breakpoint: godap.Breakpoint{Id: 7, Verified: true, Line: 2}}, file)
	if got := message(); got != several {
		t.Error(got)
	}
}

// Of very many functions of a name a few are listed, and the rest counted.
func TestVeryManyFunctions(t *testing.T) {
	var s Set
	id := s.Add(Spec{Kind: Function, Function: "f"}, file)
	s.Locate(id, make([]Definition, 8), []string{"a:1", "b:1", "c:1", "d:1", "e:1", "f:1", "g:1"})
	if b, _ := s.Get(id); !strings.Contains(b.Message, "8 functions are called so; this is the first, beside a:1, b:1, c:1, d:1, e:1 and 2 more: ") {
		t.Error(b.Message)
	}
}
