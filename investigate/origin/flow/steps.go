package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
)

// writeStep is the step to the write of event i.
func (t trail) writeStep(i int, kind string, c carrier, s sight) (*Step, *sight) {
	e := t.log[i]
	step := stepAt(e, kind, c.whole)
	step.Stack = t.callersOf(e)
	if kind == Passed {
		return t.argumentStep(step, i, c, s)
	}
	step.Was, step.Hit = e.Values[0], t.lastWrite(sight{value: s.value, before: i + 1})
	if kind == Unseen {
		return step, nil
	}
	use, known := t.useOf(i, e.Call, e.Thread)
	if !known {
		return step, nil
	}
	if t.isSent(e.At) {
		return step, nil
	}
	step.Operands = operandsOf(t.log[use])
	if e.Text == recording.Given { // what the statement itself puts somewhere is something else
		return step, nil
	}
	if kind == Changed && strings.HasSuffix(e.Place, "[*]") {
		return step, t.pushedValue(i, s, use)
	}
	return step, t.carriedFrom(t.evaluationAt(i, use), c, s, use)
}

// isSent says that the value was given to a generator at a statement, by whoever had it go on.
func (t trail) isSent(at string) bool {
	return slices.ContainsFunc(t.code.Sources(at), func(s exprsyntax.Source) bool { return s.Kind == exprsyntax.Sent })
}

// evaluationAt is that of the statement whose last use is use, and which has ended at
// event i.
func (t trail) evaluationAt(i, use int) evaluation {
	e := t.log[use]
	return evaluation{trail: t, at: e.At, thread: e.Thread, call: e.Call, operands: operandsOf(e), from: t.firstUse(use), to: i}
}

// pushedValue is the one argument of the call that has put a value into an object: push(x). A
// call that is given more may have used any of them.
func (t trail) pushedValue(i int, s sight, use int) *sight {
	of := t.evaluationAt(i, use)
	sources := t.code.Sources(of.at)
	if len(sources) != 1 || sources[0].Kind != exprsyntax.Returned || len(sources[0].Given) != 1 {
		return nil
	}
	return t.sourceSight(of, sources[0].Given, carrier{whole: s.value}, s, use)
}

// carriedFrom is where a value was before the statement that carried it on.
func (t trail) carriedFrom(of evaluation, c carrier, s sight, use int) *sight {
	var whole, parts []exprsyntax.Source
	for _, source := range t.code.Sources(of.at) {
		if source.Part {
			parts = append(parts, source)
		} else {
			whole = append(whole, source)
		}
	}
	if len(parts) > 0 && (c.part || len(whole) == 0) { // a field that is written as its object is made has one of them
		if len(whole) > 0 {
			return nil
		}
		return t.sourceSight(of, parts, carrier{whole: s.value}, s, use)
	}
	return t.sourceSight(of, whole, c, s, use)
}

// sourceSight is where the value of the one source that it must have come from was.
func (t trail) sourceSight(of evaluation, sources []exprsyntax.Source, c carrier, s sight, use int) *sight {
	found, ok := of.chooseSource(sources, c.whole)
	if !ok {
		return t.takenFrom(of, sources)
	}
	if found.operand == nil {
		return &sight{value: s.value, carrier: c, returned: &found.leave, led: t.readObservation(t.log[found.leave], t.log[found.leave].Function, c.whole)}
	}
	o := *found.operand
	if !c.part {
		return t.readBefore(o, o.Value, use)
	}
	place, ok := shiftPlace(o.Value.Place, c.offset)
	if !ok {
		return nil
	}
	value := s.value
	value.Place, value.Of = place, ""
	return t.readBefore(o, value, use)
}

// readBefore is a value where an operand was read; nil where that is no place.
func (t trail) readBefore(o Operand, value recording.Value, use int) *sight {
	if value.Place == "" {
		return nil
	}
	return &sight{value: value, before: use, led: t.readObservation(t.log[use], o.Name, o.Value)}
}

// takenFrom is the result of the only call of which a statement takes something, where
// that is an object.
func (t trail) takenFrom(of evaluation, sources []exprsyntax.Source) *sight {
	if len(sources) != 1 || sources[0].Kind != exprsyntax.Returned {
		return nil
	}
	i, ok := of.lastCall(sources[0].Name)
	if !ok || len(t.log[i].Values) != 1 {
		return nil
	}
	value := t.log[i].Values[0]
	if value.Size() == 0 && value.Span() == 0 {
		return nil
	}
	return &sight{value: value, carrier: carrier{whole: value}, returned: &i, led: t.readObservation(t.log[i], t.log[i].Function, value)}
}

// argumentStep is the step to the caller's statement.
func (t trail) argumentStep(step *Step, i int, c carrier, s sight) (*Step, *sight) {
	e := t.log[i]
	begun, caller := false, "" // in a thread of its own; by whom
	if len(e.Stack) > 0 {
		if function, at := recording.Caller(e.Stack[0]); function != "" {
			step.At, step.Function, step.Stack = at, function, e.Stack[1:]
			begun, caller = strings.Contains(function, ".gowrap"), function
		}
	}
	for j := i - 1; j >= 0; j-- {
		u := t.log[j]
		if t.hasGapAfter(j) { // what its caller read may be among what was not kept
			return step, nil
		}
		if u.Kind != recording.Use || u.Call == e.Call || u.Thread != e.Thread && !begun {
			continue
		}
		if u.Function == e.Function && caller != "" && caller != e.Function { // of another call of the same, which may stand in its caller's line
			continue
		}
		if u.At != step.At {
			if begun {
				continue
			}
			return step, nil // the caller is not among what is noted
		}
		step.Operands = operandsOf(u)
		if len(step.Stack) == 0 { // a call notes perhaps no more than its caller
			step.Stack = t.callersOf(u)
		}
		return step, t.sourceSight(t.evaluationAt(i, j), t.argumentSources(e, step.At, s.value), c, s, j)
	}
	return step, nil
}

// argumentSources are what the argument may be in which a call was given the value; none where
// the source does not tell.
func (t trail) argumentSources(e recording.Event, at string, seen recording.Value) []exprsyntax.Source {
	k := slices.IndexFunc(e.Values, func(v recording.Value) bool { _, ok := carrierOf(v, seen); return ok })
	if k < 0 || k >= len(e.Names) {
		return nil
	}
	var list []exprsyntax.Source
	for _, name := range callNames(e.Function) {
		for _, call := range t.code.Calls(at, name) {
			list = append(list, parameterSources(call, k, e)...)
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// parameterSources are what the k-th parameter of a call that began may be given by the source: the
// argument of its name, or in its place. Where there is one parameter more than arguments
// and the first is an object, that is the one whose method is called. Else nobody knows.
func parameterSources(call []exprsyntax.Argument, k int, e recording.Event) []exprsyntax.Source {
	for _, a := range call {
		if a.Name == e.Names[k] {
			return a.Sources
		}
	}
	first := e.Values[0]
	switch isObject := first.Same != "" || first.Size() > 0 || first.Span() > 0; {
	case len(e.Names) == len(call)+1 && isObject:
		k--
	case len(e.Names) != len(call):
		return []exprsyntax.Source{{}}
	}
	if k < 0 || k >= len(call) || call[k].Name != "" {
		return []exprsyntax.Source{{}}
	}
	return call[k].Sources
}

// returnStep is the step into the function that has given a result.
func (t trail) returnStep(s sight) back {
	e := t.log[*s.returned]
	step := stepAt(e, Returned, s.carrier.whole)
	b := back{step: step, found: t.readObservation(e, Returned, s.carrier.whole)}
	use, known := t.useOf(*s.returned, e.Call, e.Thread)
	if e.Text == recording.Ended { // nothing was returned that a statement gave
		return b
	}
	if !known {
		if use > 0 { // a panic that was recovered has ended the call
			b.next = t.writtenSinceReturn(*s.returned, use, s.carrier)
		}
		return b
	}
	b.next = t.carriedFrom(t.evaluationAt(*s.returned, use), s.carrier, s, use)
	if b.next == nil {
		b.next = t.writtenSinceReturn(*s.returned, use, s.carrier)
	}
	if b.next == nil || b.next.before <= use { // else what the statement read is not what it was made of
		step.Operands = operandsOf(t.log[use])
	}
	return b
}

// writtenSinceReturn is a result where it lay as its call ended, if what it was then was written
// there after the last statement of the call had read its operands: by a deferred function.
func (t trail) writtenSinceReturn(leave, use int, c carrier) *sight {
	e := t.log[leave]
	k := slices.IndexFunc(e.Values, func(v recording.Value) bool {
		return v.Place != "" && recording.Compare(v, c.whole) == recording.Equal
	})
	if k < 0 || c.part {
		return nil
	}
	result := sight{value: e.Values[k], carrier: carrier{whole: e.Values[k]}, before: leave}
	for i := leave - 1; i > use; i-- {
		w := t.log[i]
		if w.Kind != recording.Write || w.Thread != e.Thread {
			continue
		}
		if left, kind := carriedBy(w, result); kind != "" {
			if w.Call == e.Call || left.part || recording.Compare(left.whole, result.value) != recording.Equal {
				return nil
			}
			result.led = t.readObservation(e, e.Function, e.Values[k])
			return &result
		}
	}
	return nil
}
