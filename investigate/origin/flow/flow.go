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
	Hit      int       // which of the writes to this place it was, from 1; 0 where it is none, or that is not known
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
	Leaps   bool                     // there were more that its recorder was asked to leave out
	Cut     bool                     // the time was over before its end was known
	Differs string                   // why the chain cannot be believed, or does not reach the value
	Lost    string                   // why it could not be followed further, though it may go on
	Unkept  bool                     // it ends where events were not kept: a run that keeps others may tell more
	Deeper  bool                     // the first of Chain put the very object there, and that shows otherwise now: what it holds was changed, deeper than was looked
}

// Of follows the value of a hit's first expression back, at most so many steps; name is
// the expression, and run is which run of the question it was.
func Of(log recording.Log, hit recording.Event, name string, code Code, run, steps int) Answer {
	log = log.Process(hit.Child)
	t := trail{log.Events, code, run}
	now := sight{value: hit.Values[0], before: t.indexFrom(hit.Seq), led: t.readObservation(hit, name, hit.Values[0])}
	a := Answer{Writes: t.lastWrite(now)}
	for len(a.Chain) < steps {
		for _, found := range t.findInnerChanges(&now) {
			a.Chain = append(a.Chain, found)
			if len(a.Chain) == steps {
				return a
			}
		}
		back := t.findLastWrite(now)
		if len(a.Chain) == 0 && back.step != nil {
			a.Deeper = isChangedInside(back.step.Value, now.value)
		}
		if back.step != nil && log.Dropped > 0 {
			back.step.Hit = 0 // those that were not kept cannot be counted
		}
		if back.differs != "" {
			switch a.Unkept = back.differs == notKept; {
			case len(a.Chain) == 0:
				a.Differs = back.differs
			case a.Unkept:
				a.Lost = back.differs
			}
			return a
		}
		if back.step == nil {
			return a
		}
		back.step.Operands = t.carriedTo(now.led.What, back.step.At, back.step.Operands)
		found := evidence.On(*back.step, back.found, now.led)
		if !found.Is() {
			return a
		}
		a.Chain = append(a.Chain, found)
		if back.next == nil {
			if a.Lost = t.handedOver(*back.step, back.found.Event); t.isReadUnkept(back.found.Event) {
				a.Lost, a.Unkept = "what that statement read was not kept", true
			}
			return a
		}
		now = *back.next
	}
	return a
}

// isChangedInside says that a value is the object that was put there, and no longer shows as
// it did then.
func isChangedInside(put, now recording.Value) bool {
	return put.Same != "" && put.Same == now.Same && recording.Compare(put, now) == recording.Different
}

// readObservation is that a value was read by an event of the run.
func (t trail) readObservation(e recording.Event, what string, v recording.Value) evidence.Observation {
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

// carriedBy says what an event put into a place, if it did, and by what kind of write.
func carriedBy(e recording.Event, s sight) (c carrier, kind string) {
	switch e.Kind {
	case recording.Write:
		if len(e.Values) < 2 {
			return c, ""
		}
		now := e.Values[1]
		now.Place = e.Place
		if c, ok := carrierOf(now, s.value); ok {
			return c, assignedKind(e)
		}
		if inside, ok := strings.CutSuffix(e.Place, "[*]"); ok && strings.HasPrefix(s.value.Place, inside+"[") {
			return carrier{whole: e.Values[1]}, Changed
		}
	case recording.Enter:
		for _, v := range e.Values {
			if c, ok := carrierOf(v, s.value); ok {
				return c, Passed
			}
		}
	}
	return c, ""
}

func (t trail) lastWrite(s sight) int {
	n := 0
	for _, e := range t.log[:s.before] {
		if c, kind := carriedBy(e, s); kind != "" && (!c.part || !isMaking(e)) {
			n++
		}
	}
	return n
}

// isMaking says that an event is the declaration of a variable: what is a part of it begins
// there, and is not written to.
func isMaking(e recording.Event) bool {
	return e.Kind == recording.Write && len(e.Values) == 2 && e.Values[0].Text == "" && e.Values[0].Error == ""
}

// findLastWrite finds the last write to where a value was seen, and what that carried on.
func (t trail) findLastWrite(s sight) back {
	if s.returned != nil {
		return t.returnStep(s)
	}
	for i := s.before - 1; i >= 0; i-- {
		if t.hasGapAfter(i) {
			return back{differs: notKept}
		}
		if at, over := t.isExtension(i, s.value); over && t.log[i].Text == recording.Longer {
			return t.extensionStep(i, s, at)
		}
		c, kind := carriedBy(t.log[i], s)
		if kind == "" {
			continue
		}
		if kind != Changed && !s.touched && !c.canBe(s.value) {
			return back{differs: writtenSinceReason(c.whole, s.value)}
		}
		step, next := t.writeStep(i, kind, c, s)
		return back{step: step, found: t.readObservation(t.log[i], kind, c.whole), next: next}
	}
	return t.findMaking(s)
}

// notKept is why nothing can be said of what wrote to a place.
const notKept = "a part of what came before it was not kept, and behind that part there is no write to it"

// writtenSinceReason is why a write is not the last one.
func writtenSinceReason(left, seen recording.Value) string {
	return "the last write that was noted left " + left.Text + " there, and it was " + seen.Text + " when it was looked at: something else has written to it since"
}

// findInnerChanges is the last write to a part of the object that a value is, where that came
// after the object itself was put there, and before it what has changed it since without
// being seen.
func (t trail) findInnerChanges(s *sight) (list []evidence.Finding[Step]) {
	last, whole, first := -1, -1, s.before
	for i := s.before - 1; i >= 0 && !t.hasGapAfter(i); i-- {
		e := t.log[i]
		first = i
		if _, kind := carriedBy(e, *s); kind != "" {
			whole = i
			break
		}
		if last < 0 && e.Kind == recording.Write && len(e.Values) == 2 && (writesPartOf(e, s.value) || t.isExtensionWithin(i, s.value)) {
			last = i
		}
	}
	if step, found := t.findUnnotedChange(max(last, first), max(whole, first-1), *s); step != nil {
		list = append(list, evidence.On(*step, found, s.led))
	}
	if last >= 0 {
		step, found := t.partWriteStep(last)
		list = append(list, evidence.On(*step, found, s.led))
	}
	s.touched = len(list) > 0
	return list
}

// partWriteStep is the step of a write to a part.
func (t trail) partWriteStep(i int) (*Step, evidence.Observation) {
	e := t.log[i]
	kind := Inside
	if e.Text == recording.Unseen {
		kind = Unseen
	}
	step := stepAt(e, kind, e.Values[1])
	step.Was, step.Stack = e.Values[0], t.callersOf(e)
	if use, known := t.useOf(i, e.Call, e.Thread); known && kind == Inside {
		step.Operands = operandsOf(t.log[use])
	}
	return step, t.readObservation(e, kind, e.Values[1])
}

// findMaking finds the first statement that is known to have held the object which the
// value lies in. Where nothing has written to the value since, it was made with the
// object, unless the object is known to have been without it.
func (t trail) findMaking(s sight) back {
	for i := s.before - 1; i >= 0 && !t.hasGapAfter(i); i-- {
		if at, over := t.isExtension(i, s.value); over {
			return t.extensionStep(i, s, at)
		}
	}
	without, object := -1, recording.Value{}
	for i, e := range t.log[:s.before] {
		for _, v := range shownBy(e) {
			at, within := offsetIn(v, s.value)
			switch {
			case !within:
			case isAbsent(v, s.value):
				without, object = i, v
			case without < 0:
				return t.makingStep(i, v, s, at)
			}
		}
	}
	if without < 0 {
		return back{}
	}
	return back{differs: "it was " + object.Text + " at " + placeOf(t.log[without].At) + ", without " + s.value.Text + ", and no write to it was noted since: something else has written to it since"}
}

// shownBy are the values that an event shows as they were when it came.
func shownBy(e recording.Event) []recording.Value {
	switch {
	case e.Kind == recording.Write && len(e.Values) == 2:
		return e.Values[1:]
	case e.Kind == recording.Leave && !e.Raised:
		return e.Values
	}
	return nil
}

// placeOf is a place in short: the name of its file, and its line.
func placeOf(at string) string { return at[strings.LastIndexAny(at, `/\`)+1:] }

// makingStep is the step to the event that first shows the object which the value lies in.
func (t trail) makingStep(i int, v recording.Value, s sight, at uint64) back {
	e := t.log[i]
	step := stepAt(e, Made, s.value)
	step.Stack = t.callersOf(e)
	b := back{step: step, found: t.readObservation(e, Made, v)}
	use, known := t.useOf(i, e.Call, e.Thread)
	if !known {
		return b
	}
	step.Operands = operandsOf(t.log[use])
	if slices.ContainsFunc(step.Operands, func(o Operand) bool { return o.Value.Same == v.Same }) {
		step.Kind = Held
	}
	b.found.What = step.Kind
	if e.Text == recording.Given {
		return b
	}
	b.next = t.beforeMaking(i, s, at, use)
	return b
}

// extensionStep is the step to a statement that has made a slice longer in its place, over
// where the value lies: it has put something there.
func (t trail) extensionStep(i int, s sight, at uint64) back {
	e := t.log[i]
	use, _ := t.useOf(i, e.Call, e.Thread)
	step := stepAt(e, Made, s.value)
	step.Stack, step.Operands = t.callersOf(e), operandsOf(t.log[use])
	return back{step: step, found: t.readObservation(e, Made, e.Values[1]), next: t.beforeMaking(i, s, at, use)}
}

// isExtension says that a statement has made a slice longer in its place, over where a value
// lies, and how far from the beginning of the slice that is.
func (t trail) isExtension(i int, v recording.Value) (at uint64, over bool) {
	e := t.log[i]
	if e.Kind != recording.Write || len(e.Values) != 2 {
		return 0, false
	}
	at, within := offsetIn(e.Values[1], v)
	if !within {
		return 0, false
	}
	from, longer := t.lengthBefore(i)
	return at, longer && from <= at
}

// isExtensionWithin says that a statement has made a slice longer in its place, over a part
// of what a value refers to that is another slice of the same memory.
func (t trail) isExtensionWithin(i int, v recording.Value) bool {
	now := t.log[i].Values[1]
	if t.log[i].Text != recording.Longer {
		return false
	}
	begin, okNow := addressOf(now.Same)
	at, okV := addressOf(v.Same)
	if !okNow || !okV || now.Span() == 0 || v.Span() == 0 || at >= begin+uint64(now.Span()) || begin >= at+uint64(v.Span()) {
		return false
	}
	from, longer := t.lengthBefore(i)
	return longer && begin+from < at+uint64(v.Span())
}

// lengthBefore is how many bytes of a slice there were before the statement of a write
// made it longer in its place; is says whether it did.
func (t trail) lengthBefore(i int) (from uint64, is bool) {
	e := t.log[i]
	use, known := t.useOf(i, e.Call, e.Thread)
	if !known {
		return 0, false
	}
	for _, v := range t.log[use].Values {
		if v.Same == e.Values[1].Same && v.Span() < e.Values[1].Span() {
			return uint64(v.Span()), true
		}
	}
	return 0, false
}

// assignedKind is the kind of a write: a recorder that has found a change, but no
// statement that made it, says so in the event's text.
func assignedKind(e recording.Event) string {
	if e.Text == recording.Unseen {
		return Unseen
	}
	return Assigned
}

// operandsOf are what a use has read.
func operandsOf(use recording.Event) []Operand {
	var list []Operand
	for i, name := range use.Names {
		if i < len(use.Values) {
			list = append(list, Operand{name, use.Values[i]})
		}
	}
	return list
}
