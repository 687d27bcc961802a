package breakpoints

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	godap "github.com/google/go-dap"
)

// text is one file, a.go, of these lines.
type text []string

func (t text) Count(string) (int, error) { return len(t), nil }

func (t text) Text(_ string, n int) (string, error) {
	if n < 1 || n > len(t) {
		return "", errors.New("no such line")
	}
	return t[n-1], nil
}

var file = text{"one", "two", "three", "", "five", "six", "seven"}

var able = godap.Capabilities{
	SupportsConditionalBreakpoints: true, SupportsHitConditionalBreakpoints: true,
	SupportsLogPoints: true, SupportsFunctionBreakpoints: true,
}

// at is a spec for a line.
func at(line int, change ...func(*Spec)) Spec {
	w := Spec{Kind: Line, File: "a.go", Line: line}
	for _, c := range change {
		c(&w)
	}
	return w
}

func when(condition string) func(*Spec) {
	return func(w *Spec) { w.Condition = ParseExpression(condition) }
}
func count(hit string) func(*Spec)      { return func(w *Spec) { w.HitCondition = hit } }
func saying(message string) func(*Spec) { return func(w *Spec) { w.LogMessage = message } }
func until(w *Spec)                     { w.Temporary, w.Where = true, "a.go:2" }

// Where an adapter could not evaluate a condition, the engine's own answer decides.
func TestUnjudged(t *testing.T) {
	for _, tt := range []struct {
		answer Answer
		stop   bool
		note   string
	}{
		{Answer{True: true}, true, ""},
		{Answer{}, false, ""},
		{Answer{Failed: "no x here"}, true, `the condition "x > 1" of breakpoint 1 failed: no x here`},
	} {
		var s Set
		id, _ := s.Put(at(2, when("x > 1")), 0, file)
		bind(&s, able)
		p := Stop{Reason: "error", Unjudged: true, File: "a.go", Line: 2}
		if !s.NeedsPlace(Stop{Reason: "error", Unjudged: true}) {
			t.Error("the place is not asked for")
		}
		hit := s.Candidates(p)
		questions := s.Questions(p, hit, false)
		if len(questions) != 1 || questions[0].Checked {
			t.Fatalf("questions: %v", questions)
		}
		d := s.Decide(p, hit, map[int]Answer{id: tt.answer})
		if d.Stop != tt.stop || d.Note != tt.note {
			t.Errorf("%v: %+v", tt.answer, d)
		}
	}
}

// bind sends the whole set to an adapter that binds each place under 10 + its line.
func bind(s *Set, caps godap.Capabilities) Connection {
	c := Connection{Main: true, Capabilities: caps}
	for _, r := range s.Plan(c) {
		var replies []godap.Breakpoint
		switch args := r.Arguments.(type) {
		case sourceArguments:
			for _, b := range args.Breakpoints {
				replies = append(replies, godap.Breakpoint{Id: 10 + b.Line, Verified: true, Line: b.Line})
			}
		case functionArguments:
			for range args.Breakpoints {
				replies = append(replies, godap.Breakpoint{Id: 99, Verified: true, Line: 2, Source: &godap.Source{Path: "a.go"}})
			}
		}
		s.Apply(c, r, replies, file)
	}
	return c
}

// A pass is one arrival of the program at line 2; true names the conditions that hold.
func pass(s *Set, reason string, hold ...string) Decision {
	stop := Stop{Reason: reason, Hit: []int{12}}
	hit := s.Candidates(stop)
	answers := map[int]Answer{}
	for _, q := range s.Questions(stop, hit, false) {
		a := Answer{True: slices.Contains(hold, q.Condition.Text)}
		if strings.Contains(q.Condition.Text, "?") {
			a = Answer{Failed: "no such name"}
		}
		answers[q.ID] = a
	}
	return s.Decide(stop, hit, answers)
}

func TestDecide(t *testing.T) {
	for name, c := range map[string]struct {
		specs  []Spec
		caps   godap.Capabilities
		passes [][]string // the conditions that hold at each
		want   []Decision
		hits   []int // of the breakpoints in the end
	}{
		"a plain one stops": {
			[]Spec{at(2)}, able, [][]string{{}}, []Decision{{Stop: true, Hit: []int{1}}}, []int{1},
		},
		"a condition that the adapter checks is believed": {
			[]Spec{at(2, when("i == 5"))}, able, [][]string{{}}, []Decision{{Stop: true, Hit: []int{1}}}, []int{1},
		},
		"run_until where another's condition is false is that one's stop alone": {
			[]Spec{at(2, when("i == 5")), at(2, until)}, able,
			[][]string{{}}, []Decision{{Stop: true, Reached: "a.go:2"}}, []int{0},
		},
		"a breakpoint under a run_until whose condition is false is not reached": {
			[]Spec{at(2, when("i >= 0")), at(2, until, when("i == 4"))}, able,
			[][]string{{"i >= 0"}, {"i >= 0", "i == 4"}},
			[]Decision{{Stop: true, Hit: []int{1}}, {Stop: true, Hit: []int{1}, Reached: "a.go:2"}}, []int{2},
		},
		"a plain breakpoint under a plain run_until is hit once": {
			[]Spec{at(2), at(2, until)}, able, [][]string{{}}, []Decision{{Stop: true, Hit: []int{1}, Reached: "a.go:2"}}, []int{1},
		},
		"a condition and a message on one line do both": {
			[]Spec{at(2, when("i == 1")), at(2, saying("i={i}"))}, able, [][]string{{}, {"i == 1"}},
			[]Decision{{Log: []Message{{2, "i={i}"}}}, {Stop: true, Hit: []int{1}, Log: []Message{{2, "i={i}"}}}}, []int{1, 2},
		},
		"two conditions on one line stop each for itself": {
			[]Spec{at(2, when("a")), at(2, when("b"))}, able, [][]string{{"a"}, {"b"}, {}},
			[]Decision{{Stop: true, Hit: []int{1}}, {Stop: true, Hit: []int{2}}, {}}, []int{1, 1},
		},
		"a count is of the passes whose condition holds": {
			[]Spec{at(2, when("even"), count("2"))}, godap.Capabilities{}, [][]string{{"even"}, {}, {"even"}, {"even"}},
			[]Decision{{}, {}, {Stop: true, Hit: []int{1}}, {}}, []int{3},
		},
		"where the adapter checks the condition, each pass of which it tells counts": {
			[]Spec{at(2, when("even"), count("2"))}, able, [][]string{{}, {}, {}},
			[]Decision{{}, {Stop: true, Hit: []int{1}}, {}}, []int{3},
		},
		"without native conditions the engine checks them": {
			[]Spec{at(2, when("a"), saying("x"))}, godap.Capabilities{}, [][]string{{}, {"a"}},
			[]Decision{{}, {Log: []Message{{1, "x"}}}}, []int{1},
		},
		"one that fails stops and says so": {
			[]Spec{at(2, when("what?"))}, godap.Capabilities{}, [][]string{{}},
			[]Decision{{Stop: true, Hit: []int{1}, Note: `the condition "what?" of breakpoint 1 failed: no such name`}}, []int{1},
		},
		"a caller's frame is beyond adapters": {
			[]Spec{at(2, when("@1 order.id == 7"))}, able, [][]string{{}, {"order.id == 7"}},
			[]Decision{{}, {Stop: true, Hit: []int{1}}}, []int{1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s Set
			for _, w := range c.specs {
				s.Add(w, file)
			}
			bind(&s, c.caps)
			for i, hold := range c.passes {
				if diff := cmp.Diff(c.want[i], pass(&s, "breakpoint", hold...)); diff != "" {
					t.Errorf("pass %d (-want +got):\n%s", i+1, diff)
				}
			}
			for i, b := range s.List() {
				if b.Hits != c.hits[i] {
					t.Errorf("breakpoint %d: %d hits, wanted %d", b.ID, b.Hits, c.hits[i])
				}
			}
		})
	}
}

func TestStopsOfNobody(t *testing.T) {
	var s Set
	s.Add(at(2), file)
	c := bind(&s, able)
	if d := s.Decide(Stop{Reason: "exception"}, nil, nil); !d.Stop || d.Hit != nil {
		t.Errorf("an exception: %+v", d)
	}
	byPlace := Stop{Reason: "breakpoint", File: "a.go", Line: 2}
	if !s.NeedsPlace(Stop{Reason: "breakpoint"}) || !slices.Equal(s.Candidates(byPlace), []int{1}) {
		t.Error("a stop without ids is not found by its place")
	}
	s.Remove(1)
	s.Add(at(5), file)
	left := Stop{Reason: "breakpoint", File: "a.go", Line: 2}
	if !s.Doubtful(left) {
		t.Error("a stop at a removed breakpoint is believed")
	}
	if _, wanted := s.Explained(left); wanted {
		t.Error("a stop at a removed breakpoint is wanted")
	}
	left.Stepping = true
	if reason, wanted := s.Explained(left); reason != "step" || !wanted {
		t.Errorf("under a step: %q, %v", reason, wanted)
	}
	if late := s.Late(Stop{Hit: []int{15}}); late != nil {
		t.Errorf("late before it was bound: %v", late)
	}
	r := s.PlanOf(Home{Line, "a.go"}, c, Trial{})
	s.Apply(c, r, []godap.Breakpoint{{Id: 15, Verified: true, Line: 5}}, file)
	if late := s.Late(Stop{Hit: []int{15}}); !slices.Equal(late, []int{2}) {
		t.Errorf("late: %v", late)
	}
}

func TestTheStopOnEntryIsNotOfABreakpoint(t *testing.T) {
	var s Set
	s.Add(Spec{Kind: Function, Function: "main.main", Temporary: true, Entry: true}, file)
	bind(&s, able)
	stop := Stop{Reason: "function breakpoint", Hit: []int{99}}
	if d := s.Decide(stop, s.Candidates(stop), nil); !d.Stop || !d.Entry || d.Hit != nil {
		t.Errorf("alone: %+v", d)
	}
	s.Add(Spec{Kind: Function, Function: "main.main"}, file)
	bind(&s, able)
	if d := s.Decide(stop, s.Candidates(stop), nil); d.Entry || !slices.Equal(d.Hit, []int{1}) {
		t.Errorf("with a breakpoint of the same name: %+v", d)
	}
}

func TestWatchesWithoutIDs(t *testing.T) {
	var s Set
	stop := Stop{Reason: "data breakpoint"}
	s.Add(Spec{Kind: Watch, Expression: "x", DataID: "1"}, file)
	if got := s.Candidates(stop); !slices.Equal(got, []int{1}) {
		t.Errorf("one watch: %v", got)
	}
	s.Add(Spec{Kind: Watch, Expression: "y", DataID: "2"}, file)
	if got := s.Candidates(stop); got != nil {
		t.Errorf("which of two cannot be known: %v", got)
	}
}

// An adapter that leaves out the conditions of watchpoints is sent none: they are
// judged here.
func TestConditionsOfBareWatches(t *testing.T) {
	for _, bare := range []bool{true, false} {
		var s Set
		conn := Connection{Main: true, Capabilities: able, BareWatches: bare}
		id := s.Add(Spec{Kind: Watch, Expression: "x", DataID: "1", Condition: Expression{Text: "x == 5"}}, file)
		r := s.PlanOf(Home{Kind: Watch}, conn, Trial{})
		sent := r.Arguments.(dataArguments).Breakpoints[0].Condition
		s.Apply(conn, r, []godap.Breakpoint{{Id: 7, Verified: true}}, file)
		stop := Stop{Reason: "data breakpoint", Hit: []int{7}}
		questions := s.Questions(stop, s.Candidates(stop), false)
		switch {
		case !bare && (sent == "" || len(questions) != 0):
			t.Errorf("an adapter that checks them: sent %q, asked %+v", sent, questions)
		case bare && (sent != "" || len(questions) != 1 || questions[0].ID != id || questions[0].Condition.Text != "x == 5"):
			t.Errorf("sent %q, asked %+v", sent, questions)
		}
	}
}

// Adapters know a function by its name alone: what stops in another file than
// was asked for is no hit, and the first in the right one shows where it is bound.
func TestAFunctionOfOneFile(t *testing.T) {
	var s Set
	conn := Connection{Main: true, Capabilities: able}
	id := s.Add(Spec{Kind: Function, Function: "f", File: "b.go", HitCondition: "== 1"}, file)
	r := s.Plan(conn)[0]
	if sent := r.Arguments.(functionArguments).Breakpoints[0]; sent.HitCondition != "" {
		t.Errorf("the adapter would count the hits in other files too: %+v", sent)
	}
	s.Apply(conn, r, []godap.Breakpoint{{Id: 7, Verified: true, Line: 2, Source: &godap.Source{Path: "a.go"}}}, file)
	if s.Immediate() {
		t.Error("a stop is published without asking for its place")
	}
	for _, c := range []struct {
		file string
		stop bool
		hits int
	}{{"a.go", false, 0}, {"b.go", true, 1}, {"a.go", false, 1}} {
		p := Stop{Reason: "function breakpoint", Hit: []int{7}}
		if !s.NeedsPlace(p) {
			t.Error("the place is not asked for")
		}
		p.File, p.Line = c.file, 5
		d := s.Decide(p, s.Candidates(p), nil)
		if b, _ := s.Get(id); d.Stop != c.stop || b.Hits != c.hits {
			t.Errorf("in %s: %+v, %d hits", c.file, d, b.Hits)
		}
	}
	if b, _ := s.Get(id); !b.Verified || b.At != "b.go" || b.Line != 5 {
		t.Errorf("%+v", b)
	}
}

// Where an adapter does not say that a condition has failed, the engine asks again what it lets
// pass, and leaves it only conditions for which that makes no difference.
func TestConditionsThatAreJudgedAgain(t *testing.T) {
	var s Set
	s.Add(at(2, when("even"), count("2")), file)
	s.Add(at(3, when("next()"), count("2")), file)
	c := Connection{Main: true, Capabilities: able, Repeats: func(condition string) bool { return condition == "even" }}
	r := s.Plan(c)[0]
	sent := r.Arguments.(sourceArguments).Breakpoints
	if sent[0].Condition != "even" || sent[1].Condition != "" {
		t.Errorf("the adapter is sent the conditions %q and %q", sent[0].Condition, sent[1].Condition)
	}
	s.Apply(c, r, []godap.Breakpoint{{Id: 12, Verified: true, Line: 2}, {Id: 13, Verified: true, Line: 3}}, file)
	stop := Stop{Reason: "breakpoint", Hit: []int{12}}
	hit := s.Candidates(stop)
	if diff := cmp.Diff([]Question{{ID: 1, Condition: ParseExpression("even")}}, s.Questions(stop, hit, true)); diff != "" {
		t.Errorf("what is asked again (-want +got):\n%s", diff)
	}
	for i, want := range []bool{false, false, true} {
		if d := s.Decide(stop, hit, map[int]Answer{1: {True: i != 1}}); d.Stop != want {
			t.Errorf("pass %d stops: %v", i+1, d.Stop)
		}
	}
	if d := s.Decide(stop, hit, map[int]Answer{1: {Failed: "no such name"}}); !d.Stop || d.Note == "" {
		t.Errorf("a condition that fails does not stop: %+v", d)
	}
}
