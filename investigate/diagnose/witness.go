package diagnose

import (
	"cmp"
	"context"
	"strings"
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

// flightSpec is what the run itself notes that is looked at, where its language can do so
// while the debugger is in it.
func flightSpec() *recording.Spec {
	return &recording.Spec{Text: recorded.LongestText, Calls: &recording.Calls{
		Names: []string{"*"}, Thin: &recording.Thin{First: firstCalls, Leave: leftAlone},
	}}
}

// ownRecording is the run that failed, as far as it was recorded; nil where it was not, or not
// until it failed: what stops the program to look at it ends the recording. Whole says that
// no function was left alone in it.
func (x *examination) ownRecording() (own *witness, whole bool) {
	if len(x.seen) > 0 || x.r.Overflow || x.isHandleable() {
		return nil, false
	}
	run, err := x.s.Recorded()
	if err != nil {
		x.Log.Debug("read what the run itself has noted", "error", err)
	}
	if run == nil || len(run.Log.Events) == 0 || !run.Log.IsWhole() {
		return nil, false
	}
	left := judge.UnwatchedIn(run.Log.Events)
	if _, all := left[""]; all {
		x.hot = true
		return nil, false // of the rest of the run nothing was noted
	}
	whole = len(left) == 0
	x.hot = !whole
	if x.r.Verdict == judge.Signal { // it had no time to tell how often it has called what it only counts
		left = left.With(judge.ThinnedIn(run.Log.Events, len(run.Log.Events), firstCalls-1))
	}
	w := &witness{Recording: run, called: judge.Names(run.Log.Events)}
	x.leaveThinned(w, left)
	if !w.fails {
		return nil, false // what ended it is not noted
	}
	return w, whole
}

// findFailure finds the moment at which a recorded run has failed as the one did that was seen. The
// run that failed itself stands at it, or ended by it.
func (x *examination) findFailure(w *witness) {
	w.moment, w.fails = judge.MomentOf(w.Log.Events, x.toFailing())
	if w.number > 0 || w.moment.Event != nil {
		return
	}
	w.fails = false
	if (!w.Stops || x.r.Verdict == judge.Signal) && x.r.Verdict != judge.ExitCode {
		w.moment, w.fails = judge.Standing(w.Log.Events, x.toFailing()), true
	}
}

// record runs the program once more under its language's recorder; nil where there is
// none, or no time for it. After are the functions of which the last calls are wanted. The
// calls of one that has filled the stack are all noted: they are not so many. Where a
// recorder has left functions alone, none of their calls is in it.
func (x *examination) record(ctx context.Context, after map[string]int64) (*witness, error) {
	if !x.hasTime() {
		return nil, nil
	}
	spec := recording.Spec{
		Text: recorded.LongestText, Longest: x.longestRun(), Unqueued: true,
		Calls: &recording.Calls{Names: []string{"*"}},
	}
	if !x.r.Overflow {
		spec.Calls.Thin = &recording.Thin{First: firstCalls, After: after, Last: lastOften, Leave: x.leaveFrom()}
	}
	run, err := recorded.Runs{Sessions: x.Sessions, Tell: x.Progress}.Make(ctx, x.request, spec, x.question.Over)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		x.addNoCallsReason(err)
		return nil, nil //nolint:nilerr // what cannot be recorded is shown without its calls
	}
	x.witnessed++
	w := &witness{Recording: run, number: x.witnessed, called: judge.Names(run.Log.Events)}
	left := judge.UnwatchedIn(run.Log.Events)
	if x.leaveThinned(w, left); after == nil && w.moment.Event == nil && !recorded.EndingOf(run).Plain() {
		x.leaveThinned(w, left.With(judge.UncountedIn(run.Log.Events, firstCalls)))
	}
	return w, nil
}

// buildAhead has what a recorded run needs be built while the program runs that may fail. What is to be
// done before a start may change the sources.
func (x *examination) buildAhead(ctx context.Context) {
	if x.ahead == nil && x.request.Program.Record != nil && x.request.Before == nil {
		x.ahead = x.Sessions.Ahead(ctx, x.request)
	}
}

// leaveFrom is the call of a function from which on a run that notes calls leaves it alone.
func (x *examination) leaveFrom() int64 {
	if x.worked() > lastLongest { // no other run will ask how often they were called
		return leftAlone
	}
	cheap := x.s.CheapCalls()
	return leaveLeast*cheap + int64(leaveEachSecond*float64(cheap)*x.worked().Seconds())
}

// worked is how long the run has taken that failed, but for the time in which the machine had no processor
// for it: so long it takes on a machine with nothing else to do.
func (x *examination) worked() time.Duration { return max(x.lasted-x.queued, 0) }

// longestRun is how long a run that notes calls may take, measured in the same way.
func (x *examination) longestRun() time.Duration {
	worked := x.worked()
	if x.hot {
		return max(hotLeast, worked+hotLonger)
	}
	return min(witnessLeast+witnessSlower*worked, max(witnessLong, witnessCounted*worked))
}

// onlyCountsMore says that another run would not tell the calls of the functions that the run that
// failed has left alone: it would count them, and then they are too many and the time is over for a third
// run, which notes the last ones. Whether the program goes on after the failure is seen in another run.
func (x *examination) onlyCountsMore(own *witness) bool {
	if x.r.Verdict == judge.Exception && !x.isTest && own.moment.InThreadOfItsOwn(own.Log.Events) {
		return false
	}
	return x.hot && x.worked() > lastLongest && x.runs.Made == 1 && len(own.left) > 0
}

// recordAlike makes several recorded runs, and returns the first that fails as the run
// that was looked at, else the last one that fails otherwise, or any: what fails now and
// then may be run as often for that as it was until it failed.
func (x *examination) recordAlike(ctx context.Context) (run *witness, err error) {
	for range max(x.question.Repeat, 1) {
		next, err := x.record(ctx, nil)
		if err != nil || next == nil || next.fails && x.printsAlike(next) || x.runs.Made == 1 {
			return cmp.Or(next, run), err
		}
		if run == nil || !recorded.EndingOf(next.Recording).Plain() {
			run = next
		}
	}
	return run, nil
}

// printsAlike says that a recorded run has printed what the run did that was seen, where nothing but
// an exit code tells how that failed: as far as both are known, and but for what differs from run
// to run by itself.
func (x *examination) printsAlike(run *witness) bool {
	if x.r.Verdict != judge.ExitCode && x.v.Unmet == nil {
		return true
	}
	same := func(a, b string) bool {
		a, b = judge.Alike(strings.TrimSpace(a)), judge.Alike(strings.TrimSpace(b))
		return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
	}
	return same(x.v.Output.Stdout.Text, run.Stdout.Text)
}

// addNoCallsReason says why no calls are told, although the program's stack shows that
// it has made some.
func (x *examination) addNoCallsReason(err error) {
	if x.s.Records() && (len(x.r.Frames) > 1 || x.isTest) {
		x.r.Warnings = append(x.r.Warnings, "its calls could not be noted: "+err.Error())
	}
}

// hasTime says that the time allows what has been seen to run once more.
func (x *examination) hasTime() bool {
	return time.Until(x.question.Over) >= max(shortestRun, x.lasted)
}

// leaveThinned takes from a recorded run the calls of functions that were called too often.
func (x *examination) leaveThinned(w *witness, functions judge.Thinned) {
	w.left, w.Log.Events = functions, functions.Without(w.Log.Events)
	x.findFailure(w)
}

// unlikeReason is why a recorded run cannot be the one that was seen; empty where it
// can.
func (x *examination) unlikeReason(run *witness) string {
	r, events := x.r, run.Log.Events
	ends := r.Overflow || judge.EndsIn(events, r.Place.Function)
	switch {
	case run.fails:
		return ""
	case run.Exit == nil:
		return "its time was over before it came to the failure, and nothing of that run is told"
	case recorded.EndingOf(run.Recording).Plain() && judge.MayHandle(events, x.toFailing(), run.Stderr.Text): // and no thread has died of it
		return "it did not fail again, and nothing of that run is told"
	case r.Verdict == judge.ExitCode && r.ExitCode != nil && (run.Exit.Signal != "" || run.Exit.Code != *r.ExitCode):
		return "it failed in another way, and nothing of that run is told"
	case judge.Tells(events) && (r.Verdict != judge.ExitCode || !judge.OnlyExits(events)):
		return "it failed in another way, and nothing of that run is told"
	case r.Verdict != judge.ExitCode && !judge.Recurs(events, r.Message) && !ends, len(run.thinnedCalls()) > 0, len(run.left) > 0:
		return "which of them led to the failure is not known"
	}
	return ""
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

// unlikeCountedReason is unlikeReason for a run that was made to note the last calls of
// functions whose calls another run has counted.
func (x *examination) unlikeCountedReason(run *witness, often judge.Thinned) string {
	if why := x.unlikeReason(run); why != "" {
		return why
	}
	if how := often.Differs(run.thinnedCalls()); how != "" {
		return "it did not go the same way each time, and nothing of that is told: " + how
	}
	return ""
}
