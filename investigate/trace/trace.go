package trace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/investigate/trace/table"
	"aidb-mcp/session"
)

// Result is what came of it.
type Result struct {
	Table   *table.Table // of the first run, with at most as many rows as were asked for
	Run     *session.Recording
	Effects []string // of expressions that do more than read
	// Unseen is why a table without rows does not say that nothing happened; empty where
	// it does.
	Unseen string
	// Named says that of Writes the place of what the expression names was read.
	Named bool

	Moments []evidence.Finding[Moment] // of First, in their order in each thread or process that was judged by itself
	Places  int                        // in how many of these
	Against *Pair                      // what came of a second run; nil without
}

// Pair is what came of two runs.
type Pair struct {
	Second  *session.Recording
	Endings [2]recorded.Ending

	// Parts is where the runs part; no finding where no difference was seen.
	Parts evidence.Finding[table.Difference]
	// Same is how many rows are the same in two runs that are the same: all rows, what
	// was noted of them, and how they ended. No finding where something differs, or not
	// all was compared.
	Same evidence.Finding[int]
	// Differs says that something differs, be it the endings alone.
	Differs  bool
	Compared int      // pairs of rows that look the same
	Gaps     []string // what was not compared, and why

	Sides   [2]*Side // of First: what each run has where they part; nil: its value stays as it was
	Counted bool     // of First: also the judgements at which it took a value tell them apart
}

// run is a run, and how its places are named.
type run struct {
	*session.Recording
	rel   func(at string) string
	blind string                 // why nothing could be noted in it
	code  func(at string) string // of a statement
}

// isCut says whether the run may have had more than was noted of it.
func (r run) isCut() bool { return !r.Log.IsWhole() || r.Exit == nil || r.blind != "" }

// Ask runs the program and answers the question. Errors are *fault.Error.
func Ask(ctx context.Context, runs recorded.Runs, q Question) (*Result, error) {
	spec, err := q.newSpec()
	if err != nil {
		return nil, err
	}
	begun, share := time.Now(), q.Timeout
	if q.Against != nil {
		share /= 2
	}
	ours, err := record(ctx, runs, q.Subject.StartRequest(), spec, begun.Add(share))
	if err != nil {
		return nil, err
	}
	ours.rel, ours.code = q.Subject.RelAt, q.Subject.CodeAt
	if q.Against == nil {
		result := q.runResult(spec, ours)
		if result.Table.Hits == 0 {
			err = q.checkName(ctx, runs, spec, begun.Add(q.Timeout))
		}
		return result, err
	}
	theirs, err := q.recordSecond(ctx, runs, spec, begun.Add(q.Timeout))
	if err != nil {
		return nil, fmt.Errorf("the second run: %w", err)
	}
	if q.What == First {
		return q.partingResult(ours, theirs), nil
	}
	return q.comparisonResult(ours, theirs), nil
}

// runResult is the result of one run.
func (q Question) runResult(w recording.Spec, of run) *Result {
	t := q.shownTable(of)
	r := &Result{Table: t, Run: of.Recording, Unseen: unseenReason(of)}
	if q.What == First {
		r.Moments, r.Places = q.findMoments(of.Log), places(of.Log)
	}
	if q.What == Writes {
		places, _ := placesOf(of.Log)
		r.Named = of.Watches || len(places) > 0
	}
	if t.Hits > 0 {
		r.Effects = q.Subject.Effects(w, of.Log)
	}
	return r
}

// shownTable is the table of a run as it is shown.
func (q Question) shownTable(of run) *table.Table {
	t, lost := q.tableOf(of)
	limit := q.Limit
	if q.What == First {
		limit *= max(1, places(of.Log))
	}
	t.Cut(limit, lost)
	return t
}

// unseenReason is why it cannot be said that something never happened in a run.
func unseenReason(of run) string { return cmp.Or(of.blind, recorded.Unseen(of.Recording)) }

// tableOf is the table of a run, with all of its rows, and how many hits were not kept.
func (q Question) tableOf(of run) (t *table.Table, lost int64) {
	lost = of.Log.Dropped
	switch q.What {
	case Values:
		t = table.Values(of.Log, q.Expressions, of.rel)
	case Lines:
		t = table.Lines(of.Log, q.Expressions, of.rel)
	case Calls:
		t, lost = table.Calls(of.Log, of.rel), lost/2 // a call begins and ends
	case First:
		t = table.Moments(of.Log, of.rel)
	default:
		log, named := of.Log, []string(nil)
		if q.namesPart() {
			log, named = ofPart(log)
		}
		var uncounted int64
		lost, uncounted = q.lostWrites(of.Log, log)
		if q.Against == nil {
			var left int64
			log, left = endsOf(log)
			lost += left
		}
		t = table.Writes(log, named, of.rel)
		t.Uncounted = uncounted
		t.Leaps = of.Log.Leaps()
	}
	t.Truncated = len(of.Log.Events) > 0 && of.Log.Events[0].Seq > 1
	t.Open = of.isCut()
	return t, lost
}

// comparableTable is the table of a run as far as it can be compared with another: all of
// it, or what was kept from the start on; lost are the other hits.
func (q Question) comparableTable(of run, whole bool) (t *table.Table, lost int64) {
	kept := of.headOf(whole)
	if q.What == Lines { // a line that only one run has makes no difference by itself
		kept.Log.Events = slices.DeleteFunc(slices.Clone(kept.Log.Events), func(e recording.Event) bool { return strings.HasSuffix(of.rel(e.At), session.MadeLine) })
	}
	t, lost = q.tableOf(kept)
	t.Open = of.isCut()
	return t, lost
}

// headOf is the run with the events that were kept from its start on; with all where
// whole is true.
func (of run) headOf(whole bool) run {
	kept := *of.Recording
	if !whole {
		n := 0
		for n < len(kept.Log.Events) && kept.Log.Events[n].Seq == int64(n+1) {
			n++
		}
		kept.Log.Events, kept.Log.Dropped = kept.Log.Events[:n], kept.Log.Total-int64(n)
	}
	of.Recording = &kept
	return of
}
