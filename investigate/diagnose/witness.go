package diagnose

import (
	"context"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/recorded"
	"aidb-mcp/session"
)

// A run that notes calls may take longer than the one that failed: one that takes still
// longer calls too many functions for that. Of a function that is called often the first
// calls are noted, and the last ones by one more run, where its recorder can count.
const (
	witnessLeast   = 15 * time.Second
	witnessSlower  = 3
	witnessLong    = 20 * time.Second // longer than that, it may take
	witnessCounted = 2                // times as long as the run that failed
	// Where that has noted its own calls, another run is only for those of functions that are
	// called very often: it is worth less.
	hotLeast   = 5 * time.Second
	hotLonger  = 1500 * time.Millisecond // than the run that failed, it may take
	firstCalls = 200
	lastOften  = 32
	// leftAlone is the call of a function from which on the run that is looked at first
	// does not even count it: each is to cost that run some hundredths of a second at most.
	leftAlone = 50_000
	// In a run of its own, by a recorder that can do so, a function is left alone from the call on
	// from which even to count it would cost too much of the time that the run takes.
	leaveLeast      = 2 // times as many as cost little
	leaveEachSecond = 1 // of the run that failed
	// A run for the last calls of functions may come after two others. Where the one before took
	// longer, it is not made, and the calls of these functions are left out.
	lastLongest = 3 * time.Second
)

// witness is a recorded run, with the moment at which it failed as the run did that was
// seen.
type witness struct {
	*session.Recording
	number int // of the recorded runs, from 1; 0: it is the run that failed
	moment judge.Moment
	fails  bool // alike; else moment is none
	called map[string]bool
	left   judge.Thinned // functions that were called too often, of which no call is in it
}

// leaveOut takes from a recorded run the calls of functions that were called too often, and finds in the
// rest the moment of the failure.
func (w *witness) leaveOut(functions judge.Thinned, f failure) {
	w.left, w.Log.Events = functions, functions.Without(w.Log.Events)
	f.find(w)
}

// recorder makes runs of the program that note its calls.
type recorder struct {
	sessions *session.Manager
	progress func(doing string)
	run      *run // that failed
	// hot: that has noted its calls itself but for those of functions that are called too often.
	hot  bool
	made int // how many were made
}

// flightSpec is what the run itself notes that is looked at, where its language can do so
// while the debugger is in it.
func flightSpec() *recording.Spec {
	return &recording.Spec{Text: recorded.LongestText, Calls: &recording.Calls{
		Names: []string{"*"}, Thin: &recording.Thin{First: firstCalls, Leave: leftAlone},
	}}
}

// thinnedCalls are the functions whose calls a run has only counted until it failed, but for
// some.
func (w *witness) thinnedCalls() judge.Thinned {
	at := len(w.Log.Events)
	if w.fails {
		at = w.moment.At
	}
	return judge.ThinnedIn(w.Log.Events, at, firstCalls)
}

// record runs the program once more under its language's recorder. An error says why that cannot be
// done. After are the functions of which the last calls are wanted. The
// calls of one that has filled the stack are all noted: they are not so many. Where a
// recorder has left functions alone, none of their calls is in it.
func (rec *recorder) record(ctx context.Context, f failure, after map[string]int64) (*witness, error) {
	spec := recording.Spec{
		Text: recorded.LongestText, Longest: rec.longestRun(), Unqueued: true,
		Calls: &recording.Calls{Names: []string{"*"}},
	}
	if !f.overflow {
		spec.Calls.Thin = &recording.Thin{First: firstCalls, After: after, Last: lastOften, Leave: rec.leaveFrom()}
	}
	run, err := recorded.Runs{Sessions: rec.sessions, Tell: rec.progress}.Make(ctx, rec.run.request, spec, rec.run.over)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	rec.made++
	w := &witness{Recording: run, number: rec.made, called: judge.Names(run.Log.Events)}
	left := judge.UnwatchedIn(run.Log.Events)
	if w.leaveOut(left, f); after == nil && w.moment.Event == nil && !recorded.EndingOf(run).Plain() {
		w.leaveOut(left.With(judge.UncountedIn(run.Log.Events, firstCalls)), f)
	}
	return w, nil
}

// leaveFrom is the call of a function from which on a run that notes calls leaves it alone.
func (rec *recorder) leaveFrom() int64 {
	if rec.run.worked() > lastLongest { // no other run will ask how often they were called
		return leftAlone
	}
	cheap := rec.run.s.CheapCalls()
	return leaveLeast*cheap + int64(leaveEachSecond*float64(cheap)*rec.run.worked().Seconds())
}

// longestRun is how long a run that notes calls may take, measured in the same way.
func (rec *recorder) longestRun() time.Duration {
	worked := rec.run.worked()
	if rec.hot {
		return max(hotLeast, worked+hotLonger)
	}
	return min(witnessLeast+witnessSlower*worked, max(witnessLong, witnessCounted*worked))
}
