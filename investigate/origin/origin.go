// Package origin follows a value back to the statements from which it came. It makes
// the run again under a recorder, finds the pass at which the value was seen, and goes
// back from there.
package origin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/origin/flow"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// Question is whose value is to be followed, and from where.
type Question struct {
	Subject    *session.Session // whose start is made again
	Stands     bool             // it is a session that may stand where the value is seen
	Expression string
	Location   string // where it is seen; empty: where the session stands
	Condition  string // at Location: which pass; empty: the last
	Frame      int    // of the session
	Steps      int
	Timeout    time.Duration
}

// Result is where the value came from.
type Result struct {
	Run  *session.Recording // in which it was seen
	Seen recording.Event    // the pass at which it was
	Note string             // of how that was picked

	// Placed says that the expression names a place that can be written to; else there
	// is nothing to follow.
	Placed bool

	Chain   []evidence.Finding[flow.Step] // the last write first
	Writes  int                           // to the place, before it was seen
	Leaps   bool                          // there were more, which were not counted: each would have stopped the program
	Cut     bool                          // the time was over before its end was known
	Differs string                        // why it cannot be believed
	Lost    string                        // why the chain could not be followed further, though it may go on
	Deeper  bool                          // it is the object that was put there, and what it holds was changed since, deeper than was looked
}

// Value is the value that was followed.
func (r *Result) Value() recording.Value { return r.Seen.Values[0] }

// tries is how often a run is made whose program does not do the same each time, and
// arrivals how often one that does not even come each time to where its session stands.
const (
	tries    = 3
	arrivals = 20
)

// inquiry is one question under way.
type inquiry struct {
	Question
	runs recorded.Runs
	seen observation
	over time.Time
	made int // runs until now
}

// recordRun makes one more run of the program.
func (in *inquiry) recordRun(ctx context.Context, w recording.Spec) (*session.Recording, error) {
	in.made++
	if w.Writes.All {
		w.Longest = in.Timeout * allShare / 10
	}
	return in.runs.Make(ctx, in.Subject.StartRequest(), w, in.over)
}

// Ask answers the question. Errors are *fault.Error.
func Ask(ctx context.Context, runs recorded.Runs, q Question) (*Result, error) {
	seen, err := q.observe(ctx)
	if err != nil {
		return nil, err
	}
	in := inquiry{Question: q, runs: runs, seen: seen, over: time.Now().Add(q.Timeout)}
	if few := q.Subject.CheapEvents(); few > 0 {
		in.seen.sparse = &recording.Sparse{First: few, From: recording.Unlimited}
	}
	var came *session.Recording // the last run that came to the place, and there
	var last pass
	for n := 1; ; n++ {
		began := time.Now()
		run, err := in.recordSighting(ctx)
		if err != nil && came != nil && !time.Now().Before(in.over) {
			return in.follow(ctx, came, last) // there was no time for a closer look
		}
		if err != nil {
			return nil, err
		}
		took := time.Since(began)
		if in.seen.taken && len(recorded.Passes(run.Log)) == 0 {
			in.seen.dropCondition() // it holds otherwise for a recorder than for the debugger
			continue
		}
		found, ok := in.seen.findPass(in.seen.beforeFailure(run.Log), n, run.Log.IsWhole())
		if !ok && in.narrow(run) {
			continue
		}
		unfailed := in.seen.unfailed(run, n)
		if ok {
			found.narrow = in.seen.narrow
			found.differs = cmp.Or(found.differs, unfailed)
			came, last = run, found
			if in.looksCloser(run, found, took) {
				continue
			}
		}
		again := n < tries || (came == nil || unfailed != "") && in.seen.stood && n < arrivals
		switch more := again && time.Until(in.over) > 2*took; {
		case ok && found.differs == "", came != nil && !more:
			return in.follow(ctx, came, last)
		case !more, !in.seen.stood && came == nil:
			return nil, in.neverError(run, n)
		}
	}
}

// Of a run that does very much nearly all that led to a value is among its last events: so many of
// them, before the pass at which it was seen, are noted, and more where these do not tell it.
const (
	lastNoted = 10_000
	fewEvents = 50_000 // of which all are noted
	mostNoted = 100_000
)

// looksCloser asks for the events before a pass, where these were only counted, and for more of
// them where they do not tell how its value came there. It says whether there is time for that.
func (in *inquiry) looksCloser(run *session.Recording, at pass, took time.Duration) bool {
	noted := in.seen.sparse
	number := run.Log.Number(*at.hit)
	if in.seen.narrow != "" || !noted.Gap(number) || time.Until(in.over) < took {
		return false
	}
	next := number - lastNoted
	if number-noted.First < fewEvents {
		next = noted.First
	}
	if noted.From < recording.Unlimited {
		next = number - mostNoted
		found := flow.Of(run.Log, *at.hit, in.Expression, in.Subject, in.made, in.Steps)
		if !found.Unkept {
			return false
		}
		if in.seen.widened {
			if len(found.Chain) > 0 {
				return false
			}
			in.seen.narrow = fmt.Sprintf("none of the last %d events before it has written it", mostNoted)
			return true
		}
		in.seen.widened = true
	}
	in.seen.sparse = &recording.Sparse{First: noted.First, From: next}
	return true
}

// allShare is how much of the time is given to a run that notes all writes, in tenths.
const allShare = 7

// narrow asks for no more than the writes to the value in question, where a run that
// notes all writes did not come to the place in its share of the time. It says whether
// that can help.
func (in *inquiry) narrow(run *session.Recording) bool {
	if run.Watches || in.seen.narrow != "" || !recorded.EndingOf(run).Cut {
		return false
	}
	in.seen.narrow = "a run that notes all writes did not come there in its time (timeout_ms)"
	return true
}

// recordSighting makes a run that notes the value where it was seen, with what stood beside it
// there. That is left out when the recorder cannot read it.
func (in *inquiry) recordSighting(ctx context.Context) (*session.Recording, error) {
	run, err := in.recordRun(ctx, in.seen.newSpec())
	if fault.Is(err, fault.InvalidParam) && len(in.seen.beside) > 0 {
		in.seen.beside = nil
		run, err = in.recordRun(ctx, in.seen.newSpec())
	}
	if fault.Is(err, fault.InvalidParam) && in.seen.taken { // a debugger takes conditions that a recorder does not
		in.seen.dropCondition()
		run, err = in.recordRun(ctx, in.seen.newSpec())
	}
	var f *fault.Error
	if errors.As(err, &f) && f.Field == "expressions" {
		f.Field = "expression"
	}
	return run, err
}

// neverError is the error where no pass of the place was noted: that there was none can be
// said only of a run of which all was noted. Runs is how many were made.
func (in *inquiry) neverError(run *session.Recording, runs int) error {
	place := fmt.Sprintf("%s:%d", in.Subject.Rel(in.seen.file), in.seen.line)
	field, hint := "location", "trace(values) at a line before it shows how far the run comes"
	if in.seen.condition != "" {
		place += " with " + in.seen.condition
		field, hint = "condition", "trace(values) at that line shows what its passes have"
	}
	if why := recorded.Unseen(run); why != "" {
		hint = "trace(values) at that line notes nothing else, so that more of it is kept"
		if recorded.EndingOf(run).Cut {
			field, hint = "timeout_ms", "raise timeout_ms: noting all writes takes its time; trace(values) at that line costs less"
		}
		return fault.New(fault.InvalidLocation, "it cannot be told what %s was at %s: no pass is among what was noted, and that is not all: %s", in.Expression, place, why).
			WithField(field).WithHint("%s", hint)
	}
	if run.Rounds != "" && in.seen.condition != "" {
		return fault.New(fault.InvalidLocation, "it cannot be told what %s was at %s: %s", in.Expression, place, run.Rounds).WithField(field).
			WithHint("write the loop's body in a line of its own, or ask at a line within what it calls")
	}
	if in.seen.stood {
		return in.partedError(place, runs)
	}
	end := ""
	if why := recorded.Ended(run); why != "" {
		end = ": " + why
	}
	return fault.New(fault.InvalidLocation, "the run never came to %s%s", place, end).WithField(field).WithHint("%s", hint)
}

// partedError is the error where no new run came to the place at which the session stands: the
// question is right, and the program does something else from run to run.
func (in *inquiry) partedError(place string, runs int) error {
	which := "the new run did not come there"
	if runs > 1 {
		which = fmt.Sprintf("none of %d new runs came there", runs)
	}
	return fault.New(fault.Evaluation, "%s cannot be followed: the session stands at %s, and %s: the program does not do the same each time", in.Expression, place, which).
		WithHint("inspect shows what the session's own run has; a longer timeout_ms makes more runs, up to %d; diagnose with repeat shows the calls of a run that fails alike", arrivals)
}

// follow follows the value back from the pass at which it was seen: by what its run has
// noted, or by further runs where that cannot be all writes.
func (in *inquiry) follow(ctx context.Context, run *session.Recording, at pass) (*Result, error) {
	r := &Result{Run: run, Seen: *at.hit, Note: at.note, Differs: at.differs}
	value := r.Value()
	if value.Error != "" {
		return nil, fault.New(fault.Evaluation, "%s has no value at %s: %s", in.Expression, in.Subject.RelAt(r.Seen.At), value.Error).WithField("expression").
			WithHint("a value is asked about before its line runs: name what is there by then, or a later line")
	}
	if r.Placed = value.Place != ""; !r.Placed {
		return r, nil
	}
	found, err := in.answer(ctx, run, at.hit)
	if err != nil {
		return nil, err
	}
	if at.narrow != "" {
		if len(found.Chain) == 0 {
			return nil, fault.New(fault.Evaluation, "it cannot be told what wrote %s at %s: %s, and a run that notes only writes to %s saw none: another name may have led to it",
				in.Expression, in.Subject.RelAt(r.Seen.At), at.narrow, in.Expression).WithField("timeout_ms").WithHint("raise timeout_ms, or ask for what the statement there reads")
		}
		found.Lost = at.narrow + ", so only those to " + in.Expression + " were noted; ask for what that statement reads"
	}
	r.Chain, r.Writes, r.Leaps, r.Cut, r.Lost, r.Deeper = found.Chain, found.Writes, found.Leaps, found.Cut, found.Lost, found.Deeper
	if r.Differs == "" {
		r.Differs = found.Differs
	}
	return r, nil
}

func (in *inquiry) answer(ctx context.Context, run *session.Recording, hit *recording.Event) (flow.Answer, error) {
	if run.Watches {
		return in.followWatched(ctx, hit)
	}
	return flow.Of(run.Log, *hit, in.Expression, in.Subject, in.made, in.Steps), nil
}
