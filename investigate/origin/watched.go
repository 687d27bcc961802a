package origin

import (
	"cmp"
	"context"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/origin/flow"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// followWatched follows a value back by one run a step, where a recorder can only watch places
// that it is given. What fails in a later step takes nothing from the earlier ones.
func (in *inquiry) followWatched(ctx context.Context, hit *recording.Event) (flow.Answer, error) {
	var a flow.Answer
	now := &flow.Sight{Value: hit.Values[0], Anchor: flow.Anchor{N: hit.Hit}, Led: in.sightObservation(hit)}
	for len(a.Chain) < in.Steps && now != nil {
		found, err := in.stepBack(ctx, now)
		if err != nil {
			return in.brokenAnswer(a, err)
		}
		if len(a.Chain) == 0 {
			a.Writes, a.Differs, a.Leaps = found.Writes, found.Differs, found.Leaps
		} else {
			a.Lost = found.Differs
		}
		if !found.Step.Is() {
			return a, nil
		}
		a.Chain = append(a.Chain, found.Step)
		now = found.Next
		if len(found.Called) == 0 || len(a.Chain) == in.Steps {
			continue
		}
		step, next, lost, err := in.stepInto(ctx, found)
		if err != nil {
			return in.brokenAnswer(a, err)
		}
		if a.Lost = lost; lost != "" {
			return a, nil
		}
		if step.Is() {
			a.Chain, now = append(a.Chain, step), next
		}
	}
	return a, nil
}

// brokenAnswer is the answer so far, with the reason why it ends there: a run could not
// be made.
func (in *inquiry) brokenAnswer(a flow.Answer, err error) (flow.Answer, error) {
	if len(a.Chain) == 0 {
		return a, err
	}
	if a.Cut = time.Until(in.over) <= 0; !a.Cut {
		a.Lost = err.Error()
	}
	return a, nil
}

// sightObservation is that the value was seen at a pass.
func (in *inquiry) sightObservation(hit *recording.Event) evidence.Observation {
	return evidence.Observation{Run: in.made, Event: hit.Seq, At: hit.At, What: in.Expression, Value: hit.Values[0].Text}
}

// Of a place that is watched so many writes are noted, each of which stops the program. Of one that is
// written to more often the last ones are found by further runs.
const (
	firstStops = 100
	lastTicks  = 32
)

// stepBack makes the run that shows the last write to where a value was seen. A place
// may lie elsewhere for once: it is tried again.
func (in *inquiry) stepBack(ctx context.Context, now *flow.Sight) (flow.Found, error) {
	spec := watchSpec(&in.seen, now, nil)
	last := recorded.LastWrites{Ticks: lastTicks}
	var before flow.Found // what the run before this one has shown
	for n := 1; ; n++ {
		run, err := in.recordRun(ctx, spec)
		if err != nil {
			return flow.Found{}, err
		}
		found := flow.Watched(run.Log, *now, in.Subject, in.made)
		if found.Unseen && !spec.Writes.Equal {
			spec.Writes.Equal = true // which some recorders note only when they are told to
			continue
		}
		if now.Anchor.Clocked == nil && time.Until(in.over) > run.Lasted { // else its number is one of these runs
			if next := last.Next(found.Clock, found.Count, found.Unkept()); next != nil {
				spec.Writes.Clocked, n = next, n-1
				continue
			}
		}
		found.NumberedBy(cmp.Or(now.Anchor.Clocked, last.Clocked()))
		if found.Differs = whyLost(found.Differs, run); found.Differs == cut {
			found.Differs = cmp.Or(before.Differs, cut)
		}
		before = found
		if found.Differs == "" || n >= tries || time.Until(in.over) < run.Lasted {
			return found, nil
		}
	}
}

// stepInto makes the run that shows whether a function gave the value that was written,
// and where. It is tried again when it does not come to the same write.
func (in *inquiry) stepInto(ctx context.Context, found flow.Found) (step evidence.Finding[flow.Step], next *flow.Sight, lost string, err error) {
	for n := 1; ; n++ {
		run, err := in.recordRun(ctx, watchSpec(&in.seen, &flow.Sight{Anchor: found.Wrote}, found.Called))
		if err != nil {
			return step, nil, "", err
		}
		step, next, lost = flow.Given(run.Log, found.Wrote, in.Subject, in.made)
		lost = whyLost(lost, run)
		if lost == "" || n >= tries || time.Until(in.over) < run.Lasted {
			return step, next, lost, nil
		}
	}
}

// cut is that a run might have shown more.
const cut = "the time was over before the next run came to the same place again"

// whyLost is why a run does not show a step, where it says so: one that was ended has not failed to come to a place.
func whyLost(differs string, run *session.Recording) string {
	if differs == flow.NotReached && run.Exit == nil {
		return cut
	}
	return differs
}

// watchSpec says what one run that follows a watched value is to note.
func watchSpec(seen *observation, now *flow.Sight, called []string) recording.Spec {
	w := seen.newSpec()
	w.Writes = &recording.Writes{Clocked: now.Anchor.Clocked}
	if w.Writes.Clocked == nil && called == nil {
		w.Writes.Clocked = &recording.Clocked{First: firstStops}
	}
	if now.Anchor.Place != "" {
		w.Values = nil
		w.Writes.Watch = append(w.Writes.Watch, now.Anchor.Place)
	}
	if now.Value.Place != "" && now.Value.Place != now.Anchor.Place {
		w.Writes.Watch = append(w.Writes.Watch, now.Value.Place)
	}
	if called != nil {
		w.Calls = &recording.Calls{Names: called}
	}
	return w
}
