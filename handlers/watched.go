package handlers

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/session"
	"aidb-mcp/session/origin"
	"aidb-mcp/tools"
)

// mostWatched is how many places a run watches: a processor has four registers for it.
const mostWatched = 4

// watchWrites makes the second run of trace(writes) where a recorder can only watch
// places that it is given: the first has told where the expression lies.
func (h *Handlers) watchWrites(ctx context.Context, c *Call, r session.StartRequest, w recording.Wish, first *session.Recording, over time.Time) (*session.Recording, error) {
	if !first.Watches || w.Writes == nil || w.Writes.All {
		return first, nil
	}
	places, reasons := placesOf(first.Log)
	if len(places) == 0 {
		if len(reasons) == 0 {
			reasons = []string{"the run never came there"}
		}
		first.Warnings = append(first.Warnings, "there is no place to watch: "+reasons[0])
		first.Log = recording.Log{}
		return first, nil
	}
	writes := *w.Writes // the wish itself is for another run too, in which places lie elsewhere
	writes.Watch = places[:min(len(places), mostWatched)]
	w.Writes = &writes
	if w.Writes.File != "" { // seen again, for what lies elsewhere now is not watched
		w.Values = []recording.Values{{File: w.Writes.File, Line: w.Writes.Line, Expressions: []string{w.Writes.Expression}, Places: true}}
	}
	run, err := h.record(ctx, c, r, w, over)
	if err == nil && w.Values != nil {
		run.Warnings = append(run.Warnings, moved(w.Writes.Watch, run.Log)...)
	}
	if err == nil && len(places) > mostWatched {
		run.Warnings = append(run.Warnings, "the expression named more than four places: the first four were watched")
	}
	return run, err
}

// moved warns where the passes of a watched run have shown places that were not
// watched, and none that was.
func moved(watched []string, log recording.Log) []string {
	now, _ := placesOf(log)
	if len(now) == 0 || slices.ContainsFunc(now, func(place string) bool { return slices.Contains(watched, place) }) {
		return nil
	}
	return []string{"what the expression names lies at another address in each run, and only addresses can be watched: the writes to it were not seen"}
}

// placesOf are the places that the first expression of the hits has named, and why
// others had none.
func placesOf(log recording.Log) (places, reasons []string) {
	for _, e := range passes(log) {
		v := e.Values[0]
		switch {
		case v.Error != "":
			reasons = append(reasons, v.Error)
		case v.Place == "":
			reasons = append(reasons, "it is worked out and lies nowhere in memory, or in a register")
		case !slices.Contains(places, v.Place):
			places = append(places, v.Place)
		}
	}
	return places, reasons
}

// chase follows a value back by one run a step, where a recorder can only watch places
// that it is given.
func (h *Handlers) chase(ctx context.Context, c *Call, s *session.Session, seen *sighting, hit *recording.Event, over time.Time) (origin.Answer, error) {
	p := c.Params.(*tools.WhyParams)
	var a origin.Answer
	now := &origin.Sight{Value: hit.Values[0], Anchor: origin.Anchor{N: hit.Hit}}
	for len(a.Chain) < p.Steps && now != nil {
		found, err := h.stepBack(ctx, c, s, seen, now, over)
		if a.Cut = err != nil && len(a.Chain) > 0 && time.Until(over) <= 0; a.Cut {
			return a, nil
		}
		if err != nil {
			return a, err
		}
		if len(a.Chain) == 0 {
			a.Writes, a.Differs = found.Writes, found.Differs
		} else {
			a.Lost = found.Differs
		}
		if found.Step == nil {
			return a, nil
		}
		a.Chain = append(a.Chain, *found.Step)
		now = found.Next
		if len(found.Called) == 0 || len(a.Chain) == p.Steps {
			continue
		}
		step, next, lost, err := h.stepInto(ctx, c, s, seen, found, over)
		if a.Cut = err != nil && time.Until(over) <= 0; a.Cut {
			return a, nil
		}
		if err != nil {
			return a, err
		}
		if a.Lost = lost; lost != "" {
			return a, nil
		}
		if step != nil {
			a.Chain, now = append(a.Chain, *step), next
		}
	}
	return a, nil
}

// stepBack makes the run that shows the last write to where a value was seen. A place
// may lie elsewhere for once: it is tried again.
func (h *Handlers) stepBack(ctx context.Context, c *Call, s *session.Session, seen *sighting, now *origin.Sight, over time.Time) (origin.Found, error) {
	wish := watching(seen, now, nil)
	for n := 1; ; n++ {
		run, err := h.record(ctx, c, s.Again(), wish, over)
		if err != nil {
			return origin.Found{}, err
		}
		found := origin.Watched(run.Log, *now)
		if found.Unseen && !wish.Writes.Equal {
			wish.Writes.Equal = true // which gdb notes only when it is told to
			continue
		}
		if found.Differs == "" || n >= tries || time.Until(over) < run.Lasted {
			return found, nil
		}
	}
}

// stepInto makes the run that shows whether a function gave the value that was written,
// and where. It is tried again when it does not come to the same write.
func (h *Handlers) stepInto(ctx context.Context, c *Call, s *session.Session, seen *sighting, found origin.Found, over time.Time) (step *origin.Step, next *origin.Sight, lost string, err error) {
	for n := 1; ; n++ {
		run, err := h.record(ctx, c, s.Again(), watching(seen, &origin.Sight{Anchor: found.Wrote}, found.Called), over)
		if err != nil {
			return nil, nil, "", err
		}
		step, next, lost = origin.Given(run.Log, found.Wrote)
		if lost == "" || n >= tries || time.Until(over) < run.Lasted {
			return step, next, lost, nil
		}
	}
}

// watching is what one run of a chase is to note.
func watching(seen *sighting, now *origin.Sight, called []string) recording.Wish {
	w := seen.wish()
	w.Writes = &recording.Writes{}
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
