package flow

import (
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/investigate/evidence"
)

// Sight is a value in a place, as it was before an anchor. It is what is looked for in
// the log of a run that notes only the writes to the places which it was given: each
// step back takes a run.
type Sight struct {
	Value  recording.Value // with its Place
	Anchor Anchor
	Led    evidence.Observation // that it was read, and by what
}

// Anchor is an event that each of the runs has.
type Anchor struct {
	Place string // a write to it; empty: a pass of the line that was asked about
	N     int64  // which of them, from 1
	Value recording.Value

	Clocked *recording.Clocked // the run that numbered the writes so; nil where it noted all
}

// Found is one step back.
type Found struct {
	Step    evidence.Finding[Step] // none: nothing has written to the place
	Next    *Sight                 // what was carried on; nil where that is not known
	Wrote   Anchor                 // the write
	Called  []string
	Writes  int
	Differs string
	// Unseen says that the variable was not seen to be written in its call: it was given
	// the value that its memory had before.
	Unseen bool

	Leaps bool   // not all writes were noted, as its run was asked to
	Clock string // in front of the anchor writes were left out, as its run was asked to; empty where none were
	Count int64  // to where that had come
}

// NumberedBy says which run has numbered the write.
func (f *Found) NumberedBy(c *recording.Clocked) {
	f.Wrote.Clocked = c
	if f.Next != nil {
		f.Next.Anchor.Clocked = c
	}
}

// Unkept says that the last write to where the value was seen was not noted.
func (f Found) Unkept() bool { return f.Differs == notKept }

// Watched finds the last write to where a value was seen. Called are functions of the
// user's that the statement calls: the value may be a result of theirs ([Given]). Run is
// which run of the question it was.
func Watched(log recording.Log, s Sight, code Code, run int) Found {
	t := trail{log.Events, code, run}
	end, differs := t.anchorIndex(s)
	if differs != "" {
		return Found{Differs: differs}
	}
	f := Found{Leaps: log.Leaps()}
	if f.Clock, f.Count = log.SkippedBefore(end, s.Value.Place); f.Clock != "" {
		f.Differs = notKept
		return f
	}
	for i := end - 1; i >= 0; i-- {
		e := t.log[i]
		if !f.Step.Is() && (e.Skips(s.Value.Place) || t.hasGapAfter(i) && t.log[i+1].Kind != recording.Skipped) {
			return Found{Differs: notKept, Leaps: f.Leaps}
		}
		if e.Kind == recording.Fresh && e.Place == s.Value.Place {
			if !f.Step.Is() && e.Text == "allocation" && strings.Contains(e.At, ":") {
				f.Step = evidence.On(*stepAt(e, Made, s.Value), t.readObservation(e, "its memory was made", recording.Value{}), s.Led)
			}
			f.Unseen = !f.Step.Is()
			return f
		}
		value, kind := putBy(e, s.Value.Place)
		if kind == "" {
			continue
		}
		f.Writes++
		if f.Step.Is() {
			continue
		}
		if !canStandFor(value, s.Value) {
			return Found{Differs: writtenSinceReason(value, s.Value)}
		}
		t.watchedStep(&f, i, kind, value, s)
	}
	return f
}

// canStandFor says whether what was put into a place can be what was seen there: the
// same value, or a reference to the same object, whatever is in that by now.
func canStandFor(put, seen recording.Value) bool {
	if put.Same != "" && seen.Same != "" {
		return put.Same == seen.Same
	}
	return recording.Compare(put, seen) != recording.Different
}

// NotReached is that a run has nothing of the anchor, which one that was cut may have lain before.
const NotReached = "the next run did not come to the same place again"

// anchorIndex is the index of the event at which the value was seen.
func (t trail) anchorIndex(s Sight) (int, string) {
	for i, e := range t.log {
		switch {
		case e.Hit != s.Anchor.N:
		case s.Anchor.Place == "" && e.Kind == recording.Hit && e.Probe() == 0 && len(e.Values) > 0:
			v := e.Values[0]
			switch alike := recording.Compare(v, s.Value) != recording.Different; {
			case alike && v.Place != "" && v.Place != s.Value.Place:
				return 0, "it lies at another address in each run, and only an address can be watched"
			case !alike || v.Place != s.Value.Place:
				return 0, "the program is not the same in each run: at that pass the value was " + s.Value.Text + " once and then " + v.Text + v.Error + ", and it must lie at the same address to be watched"
			}
			return i, ""
		case s.Anchor.Place != "":
			if v, kind := putBy(e, s.Anchor.Place); kind != "" {
				if recording.Compare(v, s.Anchor.Value) == recording.Different {
					return 0, "the program is not the same in each run: write " + s.Anchor.Value.Text + " was " + v.Text + " in another"
				}
				return i, ""
			}
		}
	}
	return 0, NotReached
}

// putBy says whether an event of a watched run put something into a place, and what.
func putBy(e recording.Event, place string) (value recording.Value, kind string) {
	switch {
	case e.Kind == recording.Write && e.Place == place && len(e.Values) == 2:
		return e.Values[1], Assigned
	case e.Kind == recording.Enter:
		for _, v := range e.Values {
			if v.Place == place && place != "" {
				return v, Passed
			}
		}
	}
	return recording.Value{}, ""
}

// carriedOperand is the operand of a write whose value that must have been.
func (t trail) carriedOperand(use int, sources []exprsyntax.Source, wrote Anchor) *Sight {
	u := t.log[use]
	of := evaluation{trail: t, at: u.At, thread: u.Thread, call: u.Call, operands: operandsOf(u)}
	found, ok := of.chooseSource(sources, wrote.Value)
	if !ok || found.operand == nil || found.operand.Value.Place == "" {
		return nil
	}
	return &Sight{Value: found.operand.Value, Anchor: wrote, Led: t.readObservation(u, found.operand.Name, found.operand.Value)}
}

// watchedStep is the write of event i, whose statement's operands stand before it.
func (t trail) watchedStep(f *Found, i int, kind string, value recording.Value, s Sight) {
	e := t.log[i]
	place := e.Place
	if kind == Passed {
		for _, v := range e.Values {
			place = v.Place
		}
	}
	f.Wrote = Anchor{Place: place, N: e.Hit, Value: value}
	step := stepAt(e, kind, value)
	step.Stack = e.Stack
	defer func() { f.Step = evidence.On(*step, t.readObservation(e, step.Kind, value), s.Led) }()
	sources := []exprsyntax.Source(nil)
	switch {
	case kind == Passed && len(e.Stack) > 0:
		step.Function, step.At = recording.Caller(e.Stack[0])
		step.Stack = e.Stack[1:]
		sources = t.allArguments(e.Function, step.At)
	case kind == Assigned:
		step.Was, step.Hit = e.Values[0], int(max(e.Hit, 0))
		sources = t.code.Sources(e.At)
		if e.Text == recording.Made {
			step.Kind, step.Was = Made, recording.Value{}
			sources = partSources(sources)
		}
	}
	if i == 0 || t.log[i-1].Kind != recording.Use || t.log[i-1].Thread != e.Thread {
		return
	}
	use := t.log[i-1]
	step.Operands = t.carriedTo(s.Led.What, step.At, operandsOf(use))
	f.Next = t.carriedOperand(i-1, sources, f.Wrote)
	if kind == Assigned && (step.Kind != Made || f.Next == nil) && isResultOf(sources, use.Called()) {
		f.Called = use.Called()
	}
}

// partSources are the parts of an object that a statement makes to hand it to a call, as in
// push(T{x}); else the sources as they are.
func partSources(sources []exprsyntax.Source) []exprsyntax.Source {
	if len(sources) != 1 || sources[0].Kind != exprsyntax.Returned || len(sources[0].Given) == 0 ||
		slices.ContainsFunc(sources[0].Given, func(of exprsyntax.Source) bool { return !of.Part }) {
		return sources
	}
	return sources[0].Given
}

// allArguments are all arguments that the source gives to calls of a function: which
// parameter is watched is known, but not which of them it is.
func (t trail) allArguments(function, at string) (list []exprsyntax.Source) {
	for _, name := range callNames(function) {
		for _, call := range t.code.Calls(at, name) {
			for _, a := range call {
				list = append(list, a.Sources...)
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// isResultOf says whether the value of a statement can only be what a call of one of
// the functions has returned.
func isResultOf(sources []exprsyntax.Source, called []string) bool {
	return len(sources) == 1 && sources[0].Kind == exprsyntax.Returned && !sources[0].Taken &&
		slices.ContainsFunc(called, func(function string) bool { return isCalledAs(function, sources[0].Name) })
}

// Given is the step into the function whose result a write has put there, in the log of
// a run that noted the calls of what the statement calls; none where none gave the value.
// Differs is why that cannot be told.
func Given(log recording.Log, wrote Anchor, code Code, run int) (step evidence.Finding[Step], next *Sight, differs string) {
	t := trail{log.Events, code, run}
	end, differs := t.anchorIndex(Sight{Anchor: wrote})
	if differs != "" {
		return step, nil, differs
	}
	sources := code.Sources(t.log[end].At)
	for i := end - 1; i >= 0; i-- {
		e := t.log[i]
		if e.Thread != t.log[end].Thread || e.Kind != recording.Leave || e.Raised || len(e.Values) == 0 {
			if _, kind := putBy(e, wrote.Place); kind != "" {
				return step, nil, "" // another write lies between
			}
			continue
		}
		if !isEqual(e.Values[0], wrote.Value) || !isResultOf(sources, []string{e.Function}) {
			return step, nil, ""
		}
		back := stepAt(e, Returned, wrote.Value)
		if i > 0 && t.log[i-1].Kind == recording.Use && t.log[i-1].Call == e.Call {
			back.Operands = t.carriedTo(e.Function, back.At, operandsOf(t.log[i-1]))
			next = t.carriedOperand(i-1, code.Sources(e.At), wrote)
		}
		return evidence.On(*back, t.readObservation(e, Returned, e.Values[0])), next, ""
	}
	return step, nil, ""
}
