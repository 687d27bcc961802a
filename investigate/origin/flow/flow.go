// Package flow follows a value back through what a run has noted, from the place
// where it was seen to the statements that wrote it. It is pure. It goes on from a
// statement only to what that has read in this very evaluation and hands over as it is:
// the same object, or an equal value where the source says that nothing else can have
// become it. What was worked out ends the way, with all that went into it.
package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
)

// How a value came to a place.
const (
	Assigned = "assigned" // by a statement
	Changed  = "changed"  // by a call that changed the object which holds it
	Passed   = "passed"   // as an argument
	Returned = "returned" // as a result
	Inside   = "inside"   // into a part of the object that it is
	Held     = "held"     // by an object that was there before the first statement which is known to have read it
	Made     = "made"     // with the object that holds it, which the statement has made or was given
	Unseen   = "unseen"   // by something that was not seen, at some time before this statement
)

// Step is one step back.
type Step struct {
	Kind     string
	At       string // absolute file:line of the statement; of a Passed value the caller's
	Function string
	Thread   string
	Since    string          // of an Unseen change: absolute file:line where it was not there; empty where that is not known
	Was      recording.Value // empty where there was nothing
	Value    recording.Value
	Operands []Operand // what the statement read
	Stack    []string  // "function file:line", the caller first
	Hit      int       // which of the writes to this place it was, from 1
}

// stepAt is a step at the statement of an event.
func stepAt(e recording.Event, kind string, value recording.Value) *Step {
	return &Step{Kind: kind, At: e.At, Function: e.Function, Thread: e.Thread, Value: value}
}

// Operand is something that a statement has read.
type Operand struct {
	Name  string
	Value recording.Value
}

// Answer is how a value came to be.
type Answer struct {
	Chain   []evidence.Finding[Step] // the last write first
	Writes  int                      // to the place that was asked about, before it was asked
	Cut     bool                     // the time was over before its end was known
	Differs string                   // why the chain cannot be believed, or does not reach the value
	Lost    string                   // why it could not be followed further, though it may go on
	Deeper  bool                     // the first of Chain put the very object there, and that shows otherwise now: what it holds was changed, deeper than was looked
}

// Of follows the value of a hit's first expression back, at most so many steps; name is
// the expression, and run is which run of the question it was.
func Of(log recording.Log, hit recording.Event, name string, code Code, run, steps int) Answer {
	t := trail{log.Events, code, run}
	now := sight{value: hit.Values[0], before: t.index(hit.Seq), led: t.read(hit, name, hit.Values[0])}
	a := Answer{Writes: t.writes(now)}
	for len(a.Chain) < steps {
		for _, found := range t.inside(&now) {
			a.Chain = append(a.Chain, found)
			if len(a.Chain) == steps {
				return a
			}
		}
		back := t.back(now)
		if len(a.Chain) == 0 && back.step != nil {
			a.Deeper = changedDeeper(back.step.Value, now.value)
		}
		if back.step != nil && log.Dropped > 0 {
			back.step.Hit = 0 // those that were not kept cannot be counted
		}
		if back.differs != "" {
			if len(a.Chain) == 0 {
				a.Differs = back.differs
			}
			return a
		}
		if back.step == nil {
			return a
		}
		found := evidence.On(*back.step, back.found, now.led)
		if !found.Is() {
			return a
		}
		a.Chain = append(a.Chain, found)
		if back.next == nil {
			return a
		}
		now = *back.next
	}
	return a
}

// changedDeeper says that a value is the object that was put there, and no longer shows as
// it did then.
func changedDeeper(put, now recording.Value) bool {
	return put.Same != "" && put.Same == now.Same && recording.Compare(put, now) == recording.Different
}

// read is that a value was read by an event of the run.
func (t trail) read(e recording.Event, what string, v recording.Value) evidence.Observation {
	return evidence.Observation{Run: t.run, Event: e.Seq, At: e.At, What: what, Value: v.Text}
}

// back is a step back, what it was seen by, and where to go on.
type back struct {
	step    *Step // nil: it was never written, as far as was noted
	found   evidence.Observation
	next    *sight
	differs string
}

// sight is a value in a place, as it was before an event.
type sight struct {
	value    recording.Value
	carrier  carrier
	before   int  // index of an event
	returned *int // the Leave that gave it, for a result that has no place yet
	touched  bool // a part of it was written to after it came there

	led evidence.Observation // that it was read, and by what
}

// carrier is the value in which another is carried on: itself, or one that it is a
// part of.
type carrier struct {
	whole  recording.Value
	offset uint64
	part   bool
}

// holds says whether an event put something into a place, and what.
func holds(e recording.Event, s sight) (c carrier, kind string) {
	switch e.Kind {
	case recording.Write:
		if len(e.Values) < 2 {
			return c, ""
		}
		now := e.Values[1]
		now.Place = e.Place
		if c, ok := covers(now, s.value); ok {
			return c, assigned(e)
		}
		if inside, ok := strings.CutSuffix(e.Place, "[*]"); ok && strings.HasPrefix(s.value.Place, inside+"[") {
			return carrier{whole: e.Values[1]}, Changed
		}
	case recording.Enter:
		for _, v := range e.Values {
			if c, ok := covers(v, s.value); ok {
				return c, Passed
			}
		}
	}
	return c, ""
}

func (t trail) writes(s sight) int {
	n := 0
	for _, e := range t.log[:s.before] {
		if _, kind := holds(e, s); kind != "" {
			n++
		}
	}
	return n
}

// back finds the last write to where a value was seen, and what that carried on.
func (t trail) back(s sight) back {
	if s.returned != nil {
		return t.returned(s)
	}
	for i := s.before - 1; i >= 0; i-- {
		if t.lost(i) {
			return back{differs: notKept}
		}
		if at, over := t.extends(i, s.value); over && t.log[i].Text == recording.Longer {
			return t.extendedBy(i, s, at)
		}
		c, kind := holds(t.log[i], s)
		if kind == "" {
			continue
		}
		if kind != Changed && !s.touched && !c.shows(s.value) {
			return back{differs: writtenSince(c.whole, s.value)}
		}
		step, next := t.step(i, kind, c, s)
		return back{step: step, found: t.read(t.log[i], kind, c.whole), next: next}
	}
	return t.made(s)
}

// notKept is why nothing can be said of what wrote to a place.
const notKept = "no write to it is among the last events of the run, and what was noted before them was not kept"

// writtenSince is why a write is not the last one.
func writtenSince(left, seen recording.Value) string {
	return "the last write that was noted left " + left.Text + " there, and it was " + seen.Text + " when it was looked at: something else has written to it since"
}

// inside is the last write to a part of the object that a value is, where that came
// after the object itself was put there, and before it what has changed it since without
// being seen.
func (t trail) inside(s *sight) (list []evidence.Finding[Step]) {
	last, whole, first := -1, -1, s.before
	for i := s.before - 1; i >= 0 && !t.lost(i); i-- {
		e := t.log[i]
		first = i
		if _, kind := holds(e, *s); kind != "" {
			whole = i
			break
		}
		if last < 0 && e.Kind == recording.Write && len(e.Values) == 2 && (partOf(e, s.value) || t.extendsWithin(i, s.value)) {
			last = i
		}
	}
	if step, found := t.since(max(last, first), max(whole, first-1), *s); step != nil {
		list = append(list, evidence.On(*step, found, s.led))
	}
	if last >= 0 {
		step, found := t.partWritten(last)
		list = append(list, evidence.On(*step, found, s.led))
	}
	s.touched = len(list) > 0
	return list
}

// partWritten is the step of a write to a part.
func (t trail) partWritten(i int) (*Step, evidence.Observation) {
	e := t.log[i]
	kind := Inside
	if e.Text == recording.Unseen {
		kind = Unseen
	}
	step := stepAt(e, kind, e.Values[1])
	step.Was, step.Stack = e.Values[0], t.stack(e)
	if use, known := t.use(i, e.Call, e.Thread); known && kind == Inside {
		step.Operands = operands(t.log[use])
	}
	return step, t.read(e, kind, e.Values[1])
}

// made is the first statement that is known to have held the object which the value
// lies in: where nothing has written to it since, it was made with it.
func (t trail) made(s sight) back {
	for i := s.before - 1; i >= 0 && !t.lost(i); i-- {
		if at, over := t.extends(i, s.value); over {
			return t.extendedBy(i, s, at)
		}
	}
	for i, e := range t.log[:s.before] {
		var list []recording.Value
		switch {
		case e.Kind == recording.Write && len(e.Values) == 2:
			list = e.Values[1:]
		case e.Kind == recording.Leave && !e.Raised:
			list = e.Values
		}
		for _, v := range list {
			at, within := refersTo(v, s.value)
			if !within {
				continue
			}
			if lacks(v, s.value) {
				return back{differs: "it was made as " + v.Text + ", without " + s.value.Text + ", and no write to it was noted since: something else has written to it since"}
			}
			return t.madeBy(i, v, s, at)
		}
	}
	return back{}
}

// madeBy is the step to the event that first shows the object which the value lies in.
func (t trail) madeBy(i int, v recording.Value, s sight, at uint64) back {
	e := t.log[i]
	step := stepAt(e, Made, s.value)
	step.Stack = t.stack(e)
	b := back{step: step, found: t.read(e, Made, v)}
	use, known := t.use(i, e.Call, e.Thread)
	if !known {
		return b
	}
	step.Operands = operands(t.log[use])
	if slices.ContainsFunc(step.Operands, func(o Operand) bool { return o.Value.Same == v.Same }) {
		step.Kind = Held
	}
	b.found.What = step.Kind
	if e.Text == recording.Given {
		return b
	}
	b.next = t.moved(i, s, at, use)
	return b
}

// extendedBy is the step to a statement that has made a slice longer in its place, over
// where the value lies: it has put something there.
func (t trail) extendedBy(i int, s sight, at uint64) back {
	e := t.log[i]
	use, _ := t.use(i, e.Call, e.Thread)
	step := stepAt(e, Made, s.value)
	step.Stack, step.Operands = t.stack(e), operands(t.log[use])
	return back{step: step, found: t.read(e, Made, e.Values[1]), next: t.moved(i, s, at, use)}
}

// extends says that a statement has made a slice longer in its place, over where a value
// lies, and how far from the beginning of the slice that is.
func (t trail) extends(i int, v recording.Value) (at uint64, over bool) {
	e := t.log[i]
	if e.Kind != recording.Write || len(e.Values) != 2 {
		return 0, false
	}
	at, within := refersTo(e.Values[1], v)
	if !within {
		return 0, false
	}
	from, longer := t.longer(i)
	return at, longer && from <= at
}

// extendsWithin says that a statement has made a slice longer in its place, over a part
// of what a value refers to that is another slice of the same memory.
func (t trail) extendsWithin(i int, v recording.Value) bool {
	now := t.log[i].Values[1]
	if t.log[i].Text != recording.Longer {
		return false
	}
	begin, okNow := address(now.Same)
	at, okV := address(v.Same)
	if !okNow || !okV || now.Span == 0 || v.Span == 0 || at >= begin+uint64(now.Span) || begin >= at+uint64(v.Span) {
		return false
	}
	from, longer := t.longer(i)
	return longer && begin+from < at+uint64(v.Span)
}

// longer says that the statement of a write has made a slice longer in its place, and
// how many bytes of it there were before.
func (t trail) longer(i int) (from uint64, is bool) {
	e := t.log[i]
	use, known := t.use(i, e.Call, e.Thread)
	if !known {
		return 0, false
	}
	for _, v := range t.log[use].Values {
		if v.Same == e.Values[1].Same && v.Span < e.Values[1].Span {
			return uint64(v.Span), true
		}
	}
	return 0, false
}

// assigned is how a write came about: a recorder that finds a change, and no statement
// that has made it, says so in its text.
func assigned(e recording.Event) string {
	if e.Text == recording.Unseen {
		return Unseen
	}
	return Assigned
}

// operands are what a use has read.
func operands(use recording.Event) []Operand {
	var list []Operand
	for i, name := range use.Names {
		if i < len(use.Values) {
			list = append(list, Operand{name, use.Values[i]})
		}
	}
	return list
}
