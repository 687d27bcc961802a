package trace

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/recorded"
)

// namesPart says that the writes are asked for of a part of an object, an element or a
// field, and where that is seen: other objects have parts of that name too.
func (q Question) namesPart() bool {
	return q.What == Writes && q.Location != "" && strings.ContainsAny(q.Expression, ".[") && q.Subject.Names()
}

// ofPart are the events of a log, no kind of which are the writes to parts of objects that the
// expression did not name at its place. Where it never came there, or could not be read,
// all stay; so they do where a place is an address, at which the same element lies in one
// array only until that grows, and those that are named are told.
func ofPart(log recording.Log) (of recording.Log, named []string) {
	places, _ := placesOf(log)
	if !areParts(places) {
		return log, places
	}
	isNamed := func(place string) bool {
		object, isWhole := strings.CutSuffix(place, "[*]")
		return slices.ContainsFunc(places, func(p string) bool { return p == place || isWhole && strings.HasPrefix(p, object+"[") })
	}
	held, lies := heldThere(log, isNamed), map[string]string{} // what lies at each place
	log.Events = slices.Clone(log.Events)
	for i, e := range log.Events {
		if e.Kind != recording.Write || len(e.Values) == 0 {
			continue
		}
		now, was := e.Values[len(e.Values)-1].Same, lies[e.Place]
		lies[e.Place] = now
		if !isNamed(e.Place) && (now != was || !held[now]) {
			log.Events[i].Kind = "" // its number shows that nothing is missing there
		}
	}
	return log, nil
}

// heldThere are the objects that lay where the first expression of the hits led, and of which no
// write to a place that it named tells: what changes one of them where it lies may be told of
// another place that holds it, as of the field of an object of which the one that was named is
// a copy.
func heldThere(log recording.Log, isNamed func(place string) bool) map[string]bool {
	held := map[string]bool{}
	for _, e := range recorded.Passes(log) {
		held[e.Values[0].Same] = true
	}
	delete(held, "")
	for _, e := range log.Events {
		if e.Kind == recording.Write && len(e.Values) > 0 && isNamed(e.Place) {
			delete(held, e.Values[len(e.Values)-1].Same)
		}
	}
	return held
}

// areParts says that places are known, and tell the object and the part of it.
func areParts(places []string) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, isAddress)
}

// isAddress says that a place is one in memory and not an object by its number.
func isAddress(place string) bool {
	_, err := strconv.ParseUint(place, 16, 64)
	return err == nil
}

// checkName returns the error of a name to which no write was seen, and which is none at the
// place that is given: a run that looks at it there tells that.
func (q Question) checkName(ctx context.Context, runs recorded.Runs, look recording.Spec, over time.Time) error {
	if q.What != Writes || q.Location == "" || q.namesPart() {
		return nil
	}
	look.Values = []recording.Values{{File: look.Writes.File, Line: look.Writes.Line, Expressions: []string{q.Expression}}}
	look.Writes = nil
	run, err := runs.Make(ctx, q.Subject.StartRequest(), look, over)
	if err != nil {
		return err
	}
	why := ""
	for _, e := range recorded.Passes(run.Log) {
		if e.Values[0].Error == "" {
			return nil
		}
		why = e.Values[0].Error
	}
	if why == "" {
		return nil
	}
	return fault.New(fault.Evaluation, "%s has no value at %s: %s", q.Expression, q.Location, why).WithField("expression").
		WithHint("give a line at which it can be read, in the function whose variable it is")
}
