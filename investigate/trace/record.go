package trace

import (
	"context"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// record makes a run, and the one that it may take before.
func record(ctx context.Context, runs recorded.Runs, r session.StartRequest, w recording.Spec, over time.Time) (run, error) {
	first, err := runs.Make(ctx, r, w, over)
	if err != nil {
		return run{}, err
	}
	if w.Writes != nil && w.Writes.Sparse != nil {
		return run{Recording: lastWrites(ctx, runs, r, w, first, over)}, nil
	}
	return watchWrites(ctx, runs, r, w, first, over)
}

// lastWrites makes the run that notes the last writes, where one has only counted what comes behind the
// first ones, and further ones that note more until there are some.
func lastWrites(ctx context.Context, runs recorded.Runs, r session.StartRequest, w recording.Spec, run *session.Recording, over time.Time) *session.Recording {
	n := len(run.Log.Events)
	if n == 0 || run.Log.Events[n-1].Kind != recording.Skipped {
		return run
	}
	first, end := w.Writes.Sparse.First, run.Log.Events[n-1].Hit
	writes := *w.Writes
	w.Writes = &writes
	for last := int64(endRows); time.Until(over) > 2*run.Lasted; last *= recorded.Widening {
		writes.Sparse = &recording.Sparse{First: first, From: max(first+2, end-last)}
		again, err := runs.Make(ctx, r, w, over)
		if err != nil || again.Exit == nil {
			return run // what the run before has shown is not less
		}
		run = again
		if writes.Sparse.From == first+2 || slices.ContainsFunc(run.Log.Events, func(e recording.Event) bool {
			return e.Kind == recording.Write && e.Seq >= writes.Sparse.From
		}) {
			break
		}
	}
	return run
}

// recordSecond makes the run that differs, in a copy of the workspace when it is the program
// that does.
func (q Question) recordSecond(ctx context.Context, runs recorded.Runs, w recording.Spec, over time.Time) (run, error) {
	r := q.Against.Request(q.Subject.StartRequest())
	if q.Against.Patch == "" {
		made, err := record(ctx, runs, r, w, over)
		made.rel, made.code = q.Subject.RelAt, q.Subject.CodeAt
		return made, err
	}
	runs.Tell("copying the workspace")
	changed, err := runs.Sessions.Change(ctx, r, q.Against.Patch)
	if err != nil {
		return run{}, err
	}
	defer changed.Close()
	if w, err = changed.Spec(w); err != nil {
		return run{}, err
	}
	made, err := record(ctx, runs, changed.Request, w, over)
	if err != nil {
		return run{}, changed.Explain(err)
	}
	made.code = copiedCode(changed, made.Log)
	made.rel = func(at string) string {
		at, isMade := strings.CutSuffix(changed.At(at), session.MadeLine)
		if at = q.Subject.RelAt(at); isMade {
			at += session.MadeLine
		}
		return at
	}
	return made, nil
}

// copiedCode returns the source of the statements of a log, read from the copy before
// that is removed.
func copiedCode(changed *session.Changed, log recording.Log) func(at string) string {
	code, files := map[string]string{}, source.NewFiles(nil)
	for i := range log.Events {
		e := &log.Events[i]
		if _, known := code[e.At]; known || e.Kind != recording.Changed || changed.At(e.At) == e.At {
			continue
		}
		file, line := recording.FileLine(e.At)
		text, _ := files.Text(file, line) // what cannot be read is not shown
		code[e.At] = strings.TrimSpace(text)
	}
	return func(at string) string { return code[at] }
}

// mostWatched is how many places a run watches: a processor has four registers for it.
const mostWatched = 4

// watchWrites makes the second run for Writes where a recorder can only watch places
// that it is given: the first has told where the expression lies.
func watchWrites(ctx context.Context, runs recorded.Runs, r session.StartRequest, w recording.Spec, first *session.Recording, over time.Time) (run, error) {
	if !first.Watches || w.Writes == nil {
		return run{Recording: first}, nil
	}
	places, reasons := placesOf(first.Log)
	if len(places) == 0 {
		if len(reasons) == 0 {
			reasons = []string{"the run never came there"}
		}
		blind := "there is no place to watch: " + reasons[0]
		if w.Writes.File == "" {
			blind += "; it was read where main begins: give location, a line at which it can be read"
		}
		first.Warnings = append(first.Warnings, blind)
		first.Log = recording.Log{}
		return run{Recording: first, blind: blind}, nil
	}
	if w.Writes.File != "" { // seen again, for what lies elsewhere now is not watched
		w.Values = []recording.Values{{File: w.Writes.File, Line: w.Writes.Line, Expressions: []string{w.Writes.Expression}, Places: true}}
	}
	writes := *w.Writes // the spec itself is for another run too, in which places lie elsewhere
	writes.Watch = places[:min(len(places), mostWatched)]
	w.Writes = &writes
	second, err := watched(ctx, runs, r, w, over)
	if err != nil {
		return run{}, err
	}
	made := run{Recording: second}
	if w.Values != nil {
		made.blind = movedWarning(w.Writes.Watch, second.Log)
	}
	if made.blind != "" {
		second.Warnings = append(second.Warnings, made.blind)
	}
	if len(places) > mostWatched {
		second.Warnings = append(second.Warnings, "the expression named more than four places: the first four were watched")
	}
	return made, nil
}

// Of a place that is watched so many writes are noted, each of which stops the program. Of one that is
// written to more often the last ones are found by further runs, where their clock comes to more than
// fewTicks: else all are noted after all.
const (
	firstStops = 300
	fewTicks   = 3000
	lastTicks  = 200
)

// watched makes the run that notes the writes to the places of a spec, and those that find the last
// ones of very many.
func watched(ctx context.Context, runs recorded.Runs, r session.StartRequest, w recording.Spec, over time.Time) (*session.Recording, error) {
	if w.Writes.Ends > 0 {
		w.Writes.Clocked = &recording.Clocked{First: firstStops}
	}
	run, err := runs.Make(ctx, r, w, over)
	for last := (recorded.LastWrites{Ticks: lastTicks}); err == nil && time.Until(over) > 2*run.Lasted; {
		clock, count := run.Log.SkippedBefore(len(run.Log.Events), w.Writes.Watch...)
		if clock != "" && last.Clocked() == nil && count < fewTicks {
			w.Writes.Clocked = nil
			return runs.Make(ctx, r, w, over)
		}
		missed := !slices.ContainsFunc(run.Log.Events, func(e recording.Event) bool { return e.Kind == recording.Write && e.Hit < 0 })
		next := last.Next(clock, count, missed)
		if next == nil {
			break
		}
		w.Writes.Clocked = next
		again, failed := runs.Make(ctx, r, w, over)
		if failed != nil || again.Exit == nil {
			break // what the run before has shown is not less
		}
		run = again
	}
	return run, err
}

// movedWarning warns where the passes of a watched run show that the value lay at other
// places than those watched.
func movedWarning(watched []string, log recording.Log) string {
	now, _ := placesOf(log)
	if len(now) == 0 || slices.ContainsFunc(now, func(place string) bool { return slices.Contains(watched, place) }) {
		return ""
	}
	return "what the expression names lies at another address in each run, and only addresses can be watched: the writes to it were not seen"
}

// placesOf are the places that the first expression of the hits has named, and why
// others had none.
func placesOf(log recording.Log) (places, reasons []string) {
	for _, e := range recorded.Passes(log) {
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
