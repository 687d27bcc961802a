package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/recorded"
)

// How many of the last calls are shown.
const (
	lastCalls   = 8
	mostFolded  = 32  // calls in their rows
	longestCall = 120 // bytes of a call's arguments, or of its result
	leastValue  = 24  // of one of them
)

// callSearch looks for the calls that led to the failure: in what the run has noted that failed, and in
// others that are made to note them.
type callSearch struct {
	failed   *outcome
	recorder recorder
	repeat   int  // how many runs are made at most until one fails
	shown    int  // the number of the recorded run whose calls are shown
	other    bool // what that tells need not be so in the one that failed
}

// newCallSearch looks for the calls of the last run.
func (d *diagnosis) newCallSearch() *callSearch {
	return &callSearch{
		failed: d.last, repeat: d.question.Repeat,
		recorder: recorder{sessions: d.Sessions, progress: d.Progress, run: d.last.run},
	}
}

// addCalls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (c *callSearch) addCalls(ctx context.Context) error {
	if !slices.Contains([]judge.Verdict{judge.TestFailure, judge.Exception, judge.Panic, judge.Signal, judge.ExitCode}, c.failed.r.Verdict) {
		return nil
	}
	if !Starts(c.failed.run.request) {
		return nil
	}
	if err := c.failed.reconsiderPrinted(ctx, nil); err != nil {
		return err
	}
	own, whole := c.ownRecording()
	if whole {
		return c.addOwnRecording(ctx, own)
	}
	if c.failed.r.Verdict == judge.Signal && (c.failed.v.Frame == nil || c.failed.r.Overflow) {
		if own != nil { // another run may die elsewhere
			c.addPartialCalls(own, "")
		}
		return nil
	}
	return c.recordCalls(ctx, own)
}

// recordCalls has the program run once more to note its calls. Own is the run that failed,
// where that has noted those of some functions: they are told if the other comes to nothing, and where
// that could only count the others, which takes as long, it is not made.
func (c *callSearch) recordCalls(ctx context.Context, own *witness) error {
	if own != nil && c.onlyCountsMore(own) {
		c.addPartialCalls(own, "the program, which ran "+brief.Duration(c.failed.run.lasted)+", was not run a second time, to note all of its calls")
		c.failed.r.Unnoted = own.left.Most()
		return nil
	}
	if !c.failed.run.hasTime() {
		c.failed.r.Short = c.failed.run.lasted
		switch {
		case own != nil:
			c.addPartialCalls(own, "timeout_ms leaves no time to run it a second time, to note all of its calls")
		case c.failed.s.Records():
			c.failed.r.warn("timeout_ms leaves no time to run it a second time, to note its calls")
		}
		return nil
	}
	run, err := c.recordAlike(ctx)
	if err != nil {
		return err
	}
	if run != nil && run.Exit == nil && !c.failed.run.hasTime() {
		c.failed.r.Short = c.failed.run.lasted
	}
	switch {
	case own != nil && run == nil: // why there is none was said
		c.addPartialCalls(own, "")
		return nil
	case own != nil && run.Exit == nil && !run.fails:
		c.addPartialCalls(own, "the program was run "+extraRunsText(c.recorder.made)+", to note all of its calls, and had not failed after "+brief.Duration(run.Lasted))
		return nil
	case run == nil:
		return nil
	}
	if c.failed.run.number == 1 && !c.failed.s.FollowsOthers() && c.failed.failure().mayHandle(run.Recording) {
		if over, err := c.failed.continuesToEnd(ctx); over || err != nil {
			return err
		}
	}
	if err := c.failed.reconsiderPrinted(ctx, run); err != nil {
		return err
	}
	if c.failed.failure().isHandleable() && c.failed.printed == nil && c.failed.isEndedElsewhereIn(run) {
		if err := c.failed.continueToFailure(ctx, run); err != nil {
			return err
		}
	}
	note := "the program was run " + extraRunsText(c.recorder.made) + ", to note its calls"
	if run.fails && !c.failed.failure().printsAlike(run) {
		c.other = true
		note += ", and printed something else: what is told of them, and of the place, is of that run"
	}
	if len(run.called) == 0 && run.Exit != nil && len(c.failed.r.Frames) > 1 {
		note += ", which could not be noted: its recorder has seen none of the functions that its stack shows"
	}
	return c.addWitness(ctx, run, note)
}

// addPartialCalls tells what the run that failed has noted of its calls where it left functions
// alone, and no other run was to be had that did not.
func (c *callSearch) addPartialCalls(own *witness, note string) {
	own.leaveOut(own.left.With(own.thinnedCalls()), c.failed.failure())
	c.takeNames(own)
	c.takeRecording(own, nil)
	c.failed.r.warn(note + missingCallsText(own.left, ""))
}

// takeNames notes which functions a run has called, and which of them the place that failed.
func (c *callSearch) takeNames(run *witness) {
	r := c.failed.r
	r.called = run.called
	r.here = judge.NamesFrom(run.Log.Events, placeText(r.Place.File, r.Place.Line))
}

// extraRunsText says how often the program was run beyond the runs that were looked at.
func extraRunsText(more int) string {
	switch more {
	case 1:
		return "a second time"
	case 2:
		return "twice more"
	}
	return strconv.Itoa(more) + " times more"
}

// addWitness tells what a recorded run shows of the failure, and of how it was made.
func (c *callSearch) addWitness(ctx context.Context, run *witness, note string) error {
	c.takeNames(run)
	why, often := c.failed.failure().unlikeReason(run), run.thinnedCalls()
	switch {
	case why == "" && len(often) > 0 && run.number > 0 && run.Lasted-run.Queued > lastLongest:
		left := run.left
		run.leaveOut(left.With(often), c.failed.failure())
		note += "; those of " + often.String() + " are only counted"
		c.failed.r.warn(note + missingCallsText(left, c.takeRecording(run, often)))
		return nil
	case why == "" && len(often) > 0:
		last, err := c.record(ctx, often.After(lastOften))
		if err != nil {
			return err
		}
		if run.number == 0 && last != nil && c.failed.failure().unlikeCountedReason(last, often) != "" {
			return c.recordCalls(ctx, nil) // the debugger may have had a part in how often
		}
		run, note = c.chooseWitness(often, run, last)
	}
	if why != "" {
		note += ": " + why
	} else {
		note += missingCallsText(run.left, c.takeRecording(run, often))
	}
	c.failed.r.warn(note)
	return nil
}

// chooseWitness returns the run that tells the last calls of functions which are called
// often, or else the one that has only counted their calls, and a note about that.
func (c *callSearch) chooseWitness(often judge.Thinned, counted, last *witness) (*witness, string) {
	again := "the program was run " + extraRunsText(c.recorder.made) + ", to note its calls"
	if last == nil {
		counted.leaveOut(often, c.failed.failure())
		if c.recorder.made == 0 {
			return counted, "there was no time to run the program a second time, to note its last calls"
		}
		return counted, again + ", and there was no time to do that once more"
	}
	if unlike := c.failed.failure().unlikeCountedReason(last, often); unlike != "" {
		counted.leaveOut(often, c.failed.failure())
		return counted, again + "; of the last time: " + unlike
	}
	return last, again + "; the last " + strconv.Itoa(lastOften) + " of each are looked at of " + often.String()
}

// missingCallsText says which calls are not shown: those of functions that were left alone, and the
// one within which the others were made.
func missingCallsText(left judge.Thinned, within string) string {
	switch {
	case len(left) > 0:
		return fmt.Sprintf("; those of %s are not shown, of which there are more than %d", left.Names(), firstCalls)
	case within != "":
		return "; they were made in a call of " + within + " that began before these and is not shown"
	}
	return ""
}

// ownRecording is the run that failed, as far as it was recorded; nil where it was not, or not
// until it failed: what stops the program to look at it ends the recording. Whole says that
// no function was left alone in it.
func (c *callSearch) ownRecording() (own *witness, whole bool) {
	if len(c.failed.run.hang.seen) > 0 || c.failed.r.Overflow || c.failed.failure().isHandleable() {
		return nil, false
	}
	run, err := c.failed.s.Recorded()
	if err != nil {
		c.failed.run.log.Debug("read what the run itself has noted", "error", err)
	}
	if run == nil || len(run.Log.Events) == 0 || !run.Log.IsWhole() {
		return nil, false
	}
	left := judge.UnwatchedIn(run.Log.Events)
	if _, all := left[""]; all {
		c.recorder.hot = true
		return nil, false // of the rest of the run nothing was noted
	}
	whole = len(left) == 0
	c.recorder.hot = !whole
	if c.failed.r.Verdict == judge.Signal { // it had no time to tell how often it has called what it only counts
		left = left.With(judge.ThinnedIn(run.Log.Events, len(run.Log.Events), firstCalls-1))
	}
	w := &witness{Recording: run, called: judge.Names(run.Log.Events)}
	w.leaveOut(left, c.failed.failure())
	if !w.fails {
		return nil, false // what ended it is not noted
	}
	return w, whole
}

// onlyCountsMore says that another run would not tell the calls of the functions that the run that
// failed has left alone: it would count them, and then they are too many and the time is over for a third
// run, which notes the last ones. Whether the program goes on after the failure is seen in another run.
func (c *callSearch) onlyCountsMore(own *witness) bool {
	if c.failed.r.Verdict == judge.Exception && !c.failed.isTest && own.moment.InThreadOfItsOwn(own.Log.Events) {
		return false
	}
	return c.recorder.hot && c.failed.run.worked() > lastLongest && c.failed.run.number == 1 && len(own.left) > 0
}

// recordAlike makes several recorded runs, and returns the first that fails as the run
// that was looked at, else the last one that fails otherwise, or any: what fails now and
// then may be run as often for that as it was until it failed.
func (c *callSearch) recordAlike(ctx context.Context) (run *witness, err error) {
	for range max(c.repeat, 1) {
		next, err := c.record(ctx, nil)
		if err != nil || next == nil || next.fails && c.failed.failure().printsAlike(next) || c.failed.run.number == 1 {
			return cmp.Or(next, run), err
		}
		if run == nil || !recorded.EndingOf(next.Recording).Plain() {
			run = next
		}
	}
	return run, nil
}

// addOwnRecording adds the calls that the failing run has noted itself. If it stands in a thread that
// the failure may end alone, another run shows whether the program goes on, and what ends it then.
func (c *callSearch) addOwnRecording(ctx context.Context, own *witness) error {
	if c.failed.run.number > 1 || c.failed.isTest || c.failed.r.Verdict != judge.Exception || !own.moment.InThreadOfItsOwn(own.Log.Events) || !c.failed.run.hasTime() {
		return c.addWitness(ctx, own, "")
	}
	c.recorder.hot = true // only how it ends is asked for
	run, err := c.record(ctx, nil)
	if err != nil {
		return err
	}
	if run == nil {
		return c.addWitness(ctx, own, "")
	}
	if c.failed.isEndedElsewhereIn(run) {
		if err := c.failed.continueToFailure(ctx, run); err != nil {
			return err
		}
		if run.fails {
			return c.addWitness(ctx, run, "the program was run a second time, to note what ends it")
		}
	}
	if run.fails && recorded.EndingOf(run.Recording).Plain() {
		c.failed.r.warn("that has ended its thread and not the program: another run went on and ended with exit code 0")
	}
	return c.addWitness(ctx, own, "")
}

// record has the program run once more to note its calls; nil where that cannot be, or there is no time
// for it.
func (c *callSearch) record(ctx context.Context, after map[string]int64) (*witness, error) {
	if !c.failed.run.hasTime() {
		return nil, nil
	}
	run, err := c.recorder.record(ctx, c.failed.failure(), after)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err == nil:
		return run, nil
	}
	if c.failed.s.Records() && (len(c.failed.r.Frames) > 1 || c.failed.isTest) { // its stack shows that it has made some
		c.failed.r.warn("its calls could not be noted: " + err.Error())
	}
	return nil, nil // what cannot be recorded is shown without its calls
}
