// Package flow follows a value back through what a run has noted, from the place
// where it was seen to the statements that wrote it. It is pure. It believes nothing
// but equal places and equal values: where those do not tell which of several
// values was carried on it ends, with all of them.
package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
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
	Chain   []Step // the last write first
	Writes  int    // to the place that was asked about, before it was asked
	Cut     bool   // the time was over before its end was known
	Differs string // why the chain cannot be believed, or does not reach the value
	Lost    string // why it could not be followed further, though it may go on
}

// Of follows the value of a hit's first expression back, at most so many steps.
func Of(log recording.Log, hit recording.Event, steps int) Answer {
	t := trail{log: log.Events}
	now := sight{value: hit.Values[0], before: t.index(hit.Seq)}
	a := Answer{Writes: t.writes(now)}
	if inside := t.inside(now); inside != nil {
		a.Chain = append(a.Chain, *inside)
		now.touched = true
	}
	for len(a.Chain) < steps {
		step, next, differs := t.back(now)
		if step != nil && log.Dropped > 0 {
			step.Hit = 0 // those that were not kept cannot be counted
		}
		if differs != "" {
			if len(a.Chain) == 0 {
				a.Differs = differs
			}
			return a
		}
		if step == nil {
			return a
		}
		a.Chain = append(a.Chain, *step)
		if next == nil {
			return a
		}
		now = *next
	}
	return a
}

// sight is a value in a place, as it was before an event.
type sight struct {
	value    recording.Value
	carrier  carrier
	before   int  // index of an event
	returned *int // the Leave that gave it, for a result that has no place yet
	touched  bool // a part of it was written to after it came there
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

// back finds the last write to where a value was seen, and what that carried on. No
// step: it was never written, as far as was noted.
func (t trail) back(s sight) (step *Step, next *sight, differs string) {
	if s.returned != nil {
		step, next = t.returned(s)
		return step, next, ""
	}
	for i := s.before - 1; i >= 0; i-- {
		if t.lost(i) {
			return nil, nil, "no write to it is among the last events of the run, and what was noted before them was not kept"
		}
		c, kind := holds(t.log[i], s)
		if kind == "" {
			continue
		}
		if kind != Changed && !s.touched && !c.shows(s.value) {
			return nil, nil, writtenSince(c.whole, s.value)
		}
		step, next = t.step(i, kind, c, s)
		return step, next, ""
	}
	return t.made(s)
}

// writtenSince is why a write is not the last one.
func writtenSince(left, seen recording.Value) string {
	return "the last write that was noted left " + left.Text + " there, and it was " + seen.Text + " when it was looked at: something else has written to it since"
}

// inside is the last write to a part of the object that a value is, where that came
// after the object itself was put there.
func (t trail) inside(s sight) *Step {
	for i := s.before - 1; i >= 0 && !t.lost(i); i-- {
		e := t.log[i]
		if _, kind := holds(e, s); kind != "" {
			return nil
		}
		if e.Kind != recording.Write || len(e.Values) < 2 || !partOf(e, s.value) {
			continue
		}
		kind := Inside
		if e.Text == recording.Unseen {
			kind = Unseen
		}
		step := stepAt(e, kind, e.Values[1])
		step.Was, step.Stack = e.Values[0], t.stack(e)
		if use, known := t.use(i, e.Call, e.Thread); known && kind == Inside {
			step.Operands = operands(t.log[use])
		}
		return step
	}
	return nil
}

// made is the first statement that is known to have held the object which the value
// lies in: where nothing has written to it since, it was made with it.
func (t trail) made(s sight) (step *Step, next *sight, differs string) {
	if i, ok := t.extended(s); ok {
		e := t.log[i]
		use, _ := t.use(i, e.Call, e.Thread)
		at, _ := refersTo(e.Values[1], s.value)
		step = stepAt(e, Made, s.value)
		step.Stack, step.Operands = t.stack(e), operands(t.log[use])
		return step, moved(step.Operands, s, at, use), ""
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
				return nil, nil, "it was made as " + v.Text + ", without " + s.value.Text + ", and no write to it was noted since: something else has written to it since"
			}
			step = stepAt(e, Made, s.value)
			step.Stack = t.stack(e)
			use, known := t.use(i, e.Call, e.Thread)
			if !known {
				return step, nil, ""
			}
			step.Operands = operands(t.log[use])
			if slices.ContainsFunc(step.Operands, func(o Operand) bool { return o.Value.Same == v.Same }) {
				step.Kind = Held
			}
			return step, moved(step.Operands, s, at, use), ""
		}
	}
	return nil, nil, ""
}

// extended is the last statement that has made a slice longer in its place, over where
// the value lies: it has put something there.
func (t trail) extended(s sight) (int, bool) {
	for i := s.before - 1; i >= 0 && !t.lost(i); i-- {
		e := t.log[i]
		if e.Kind != recording.Write || len(e.Values) != 2 {
			continue
		}
		at, within := refersTo(e.Values[1], s.value)
		use, known := t.use(i, e.Call, e.Thread)
		if within && known && slices.ContainsFunc(t.log[use].Values, func(v recording.Value) bool {
			return v.Same == e.Values[1].Same && uint64(v.Span) <= at && v.Span < e.Values[1].Span
		}) {
			return i, true
		}
	}
	return 0, false
}

// step is the write of event i.
func (t trail) step(i int, kind string, c carrier, s sight) (*Step, *sight) {
	e := t.log[i]
	step := stepAt(e, kind, c.whole)
	step.Stack, step.Hit = t.stack(e), t.writes(sight{value: s.value, before: i + 1})
	if kind == Passed {
		return t.passed(step, i, c, s)
	}
	step.Was = e.Values[0]
	if kind == Unseen {
		return step, nil
	}
	use, known := t.use(i, e.Call, e.Thread)
	if !known {
		return step, nil
	}
	step.Operands = operands(t.log[use])
	if kind == Changed && strings.HasSuffix(e.Place, "[*]") {
		c.whole = s.value
	}
	if leave, ok := t.left(t.begun(use), i, e, c.whole); ok {
		return step, &sight{value: s.value, carrier: c, returned: &leave}
	}
	if next := carried(step.Operands, c, s, use); next != nil {
		return step, next
	}
	return step, t.only(use, i)
}

// only is the result of the one call that the statement between use and i makes, where
// that is an object: what the statement has written is of that.
func (t trail) only(use, i int) *sight {
	e := t.log[use]
	found := -1
	for j := use + 1; j < i; j++ {
		l := t.log[j]
		if l.Kind != recording.Enter || l.Thread != e.Thread || len(l.Stack) == 0 || !strings.HasSuffix(l.Stack[0], " "+e.At) {
			continue
		}
		if found >= 0 {
			return nil
		}
		found = slices.IndexFunc(t.log[j:i], func(o recording.Event) bool { return o.Kind == recording.Leave && o.Call == l.Call })
		if found < 0 {
			return nil
		}
		found += j
	}
	if found < 0 || t.log[found].Raised || len(t.log[found].Values) != 1 {
		return nil
	}
	value := t.log[found].Values[0]
	if value.Size == 0 && value.Span == 0 {
		return nil
	}
	return &sight{value: value, carrier: carrier{whole: value}, returned: &found}
}

// passed is the step to the caller's statement.
func (t trail) passed(step *Step, i int, c carrier, s sight) (*Step, *sight) {
	e := t.log[i]
	begun := false // in a thread of its own
	if len(e.Stack) > 0 {
		function, at, ok := strings.Cut(e.Stack[0], " ")
		if ok {
			step.At, step.Function = at, function
			begun = strings.Contains(function, ".gowrap")
		}
	}
	for j := i - 1; j >= 0; j-- {
		u := t.log[j]
		if u.Kind != recording.Use || u.Call == e.Call || u.Thread != e.Thread && !begun {
			continue
		}
		if u.At != step.At {
			if begun {
				continue
			}
			return step, nil // the caller is not among what is noted
		}
		step.Operands = operands(u)
		if leave, ok := t.left(t.begun(j), i, u, c.whole); ok && !slices.ContainsFunc(step.Operands, func(o Operand) bool { return equal(o.Value, c.whole) }) {
			return step, &sight{value: s.value, carrier: c, returned: &leave}
		}
		return step, carried(step.Operands, c, s, j)
	}
	return step, nil
}

// returned is the step into the function that has given a result.
func (t trail) returned(s sight) (*Step, *sight) {
	e := t.log[*s.returned]
	step := stepAt(e, Returned, s.carrier.whole)
	step.Hit = 1
	use, known := t.use(*s.returned, e.Call, e.Thread)
	if !known {
		return step, nil
	}
	step.Operands = operands(t.log[use])
	if leave, ok := t.left(t.begun(use), *s.returned, e, s.carrier.whole); ok {
		return step, &sight{value: s.value, carrier: s.carrier, returned: &leave}
	}
	return step, carried(step.Operands, s.carrier, s, use)
}

// carried is the one operand that has the value, else the only one that there is.
func carried(list []Operand, c carrier, s sight, use int) *sight {
	same := having(list, c.whole)
	if len(same) == 1 && c.part {
		place, ok := shifted(same[0].Value.Place, c.offset)
		if !ok {
			return nil
		}
		value := s.value
		value.Place, value.Of = place, ""
		return &sight{value: value, before: use}
	}
	if len(same) == 0 && c.part {
		same = having(list, s.value)
	}
	placed := slices.DeleteFunc(slices.Clone(list), func(o Operand) bool { return o.Value.Place == "" }) // what has none only says which element was read
	if len(placed) == 1 && (placed[0].Value.Size > 0 || placed[0].Value.Span > 0) {
		placed = nil // it is an object, of which something was computed
	}
	if len(same) == 0 && !c.part && len(placed) == 1 && c.whole.Same == "" {
		same = placed // what it was computed from; an object is not computed
	}
	if len(same) != 1 {
		return nil
	}
	return &sight{value: same[0].Value, before: use}
}

// having are the operands that have a value, and a place.
func having(list []Operand, value recording.Value) (same []Operand) {
	for _, o := range list {
		if o.Value.Place != "" && equal(o.Value, value) {
			same = append(same, o)
		}
	}
	return same
}

// assigned is how a write came about: a recorder that finds a change, and no statement
// that has made it, says so in its text.
func assigned(e recording.Event) string {
	if e.Text == recording.Unseen {
		return Unseen
	}
	return Assigned
}

func equal(a, b recording.Value) bool {
	return a.Error == "" && b.Error == "" && a.Text == b.Text && (a.Same == b.Same || a.Same == "" || b.Same == "")
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
