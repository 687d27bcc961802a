package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/brief"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/trace/table"
)

// How many of the last calls are shown.
const (
	lastCalls   = 8
	mostFolded  = 32  // calls in their rows
	longestCall = 120 // bytes of a call's arguments, or of its result
	leastValue  = 24  // of one of them
)

// addCalls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (x *examination) addCalls(ctx context.Context) error {
	if !slices.Contains([]judge.Verdict{judge.TestFailure, judge.Exception, judge.Panic, judge.Signal, judge.ExitCode}, x.r.Verdict) {
		return nil
	}
	if !Starts(x.request) {
		return nil
	}
	if err := x.reconsiderPrinted(ctx, nil); err != nil {
		return err
	}
	own, whole := x.ownRecording()
	if whole {
		return x.addOwnRecording(ctx, own)
	}
	if x.r.Verdict == judge.Signal && (x.v.Frame == nil || x.r.Overflow) {
		if own != nil { // another run may die elsewhere
			x.addPartialCalls(own, "")
		}
		return nil
	}
	return x.recordCalls(ctx, own)
}

// recordCalls has the program run once more to note its calls. Own is the run that failed,
// where that has noted those of some functions: they are told if the other comes to nothing, and where
// that could only count the others, which takes as long, it is not made.
func (x *examination) recordCalls(ctx context.Context, own *witness) error {
	if own != nil && x.onlyCountsMore(own) {
		x.addPartialCalls(own, "the program, which ran "+brief.Duration(x.lasted)+", was not run a second time, to note all of its calls")
		x.r.Unnoted = own.left.Most()
		return nil
	}
	if !x.hasTime() {
		x.r.Short = x.lasted
		switch {
		case own != nil:
			x.addPartialCalls(own, "timeout_ms leaves no time to run it a second time, to note all of its calls")
		case x.s.Records():
			x.r.Warnings = append(x.r.Warnings, "timeout_ms leaves no time to run it a second time, to note its calls")
		}
		return nil
	}
	run, err := x.recordAlike(ctx)
	if err != nil {
		return err
	}
	if run != nil && run.Exit == nil && !x.hasTime() {
		x.r.Short = x.lasted
	}
	switch {
	case own != nil && run == nil: // why there is none was said
		x.addPartialCalls(own, "")
		return nil
	case own != nil && run.Exit == nil && !run.fails:
		x.addPartialCalls(own, "the program was run "+extraRunsText(x.witnessed)+", to note all of its calls, and had not failed after "+brief.Duration(run.Lasted))
		return nil
	case run == nil:
		return nil
	}
	if x.runs.Made == 1 && x.mayHandle(run.Recording) {
		if over, err := x.continuesToEnd(ctx); over || err != nil {
			return err
		}
	}
	if err := x.reconsiderPrinted(ctx, run); err != nil {
		return err
	}
	if x.isHandleable() && x.printed == nil && x.isEndedElsewhereIn(run) {
		if err := x.continueToFailure(ctx, run); err != nil {
			return err
		}
	}
	note := "the program was run " + extraRunsText(x.witnessed) + ", to note its calls"
	if run.fails && !x.printsAlike(run) {
		x.other = true
		note += ", and printed something else: what is told of them, and of the place, is of that run"
	}
	if len(run.called) == 0 && run.Exit != nil && len(x.r.Frames) > 1 {
		note += ", which could not be noted: its recorder has seen none of the functions that its stack shows"
	}
	return x.addWitness(ctx, run, note)
}

// addPartialCalls tells what the run that failed has noted of its calls where it left functions
// alone, and no other run was to be had that did not.
func (x *examination) addPartialCalls(own *witness, note string) {
	x.leaveThinned(own, own.left.With(own.thinnedCalls()))
	x.r.called = own.called
	x.takeRecording(own, nil)
	x.warn(note + missingCallsText(own.left, ""))
}

// warn adds a note on the recorded runs, where there is something to say.
func (x *examination) warn(note string) {
	if note = strings.TrimPrefix(note, "; "); note != "" {
		x.r.Warnings = append(x.r.Warnings, note)
	}
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
func (x *examination) addWitness(ctx context.Context, run *witness, note string) error {
	x.r.called = run.called
	why, often := x.unlikeReason(run), run.thinnedCalls()
	switch {
	case why == "" && len(often) > 0 && run.number > 0 && run.Lasted-run.Queued > lastLongest:
		left := run.left
		x.leaveThinned(run, left.With(often))
		note += "; those of " + often.String() + " are only counted"
		x.warn(note + missingCallsText(left, x.takeRecording(run, often)))
		return nil
	case why == "" && len(often) > 0:
		last, err := x.record(ctx, often.After(lastOften))
		if err != nil {
			return err
		}
		if run.number == 0 && last != nil && x.unlikeCountedReason(last, often) != "" {
			return x.recordCalls(ctx, nil) // the debugger may have had a part in how often
		}
		run, note = x.chooseWitness(often, run, last)
	}
	if why != "" {
		note += ": " + why
	} else {
		note += missingCallsText(run.left, x.takeRecording(run, often))
	}
	x.warn(note)
	return nil
}

// chooseWitness returns the run that tells the last calls of functions which are called
// often, or else the one that has only counted their calls, and a note about that.
func (x *examination) chooseWitness(often judge.Thinned, counted, last *witness) (*witness, string) {
	again := "the program was run " + extraRunsText(x.witnessed) + ", to note its calls"
	if last == nil {
		x.leaveThinned(counted, often)
		if x.witnessed == 0 {
			return counted, "there was no time to run the program a second time, to note its last calls"
		}
		return counted, again + ", and there was no time to do that once more"
	}
	if unlike := x.unlikeCountedReason(last, often); unlike != "" {
		x.leaveThinned(counted, often)
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

// takeRecording takes from a recorded run that has failed alike what led to the failure. Within
// is the function of which a call has made the last calls, and was only counted itself.
func (x *examination) takeRecording(run *witness, often judge.Thinned) (within string) {
	x.told = run.number
	events, moment := run.Log.Events, run.moment
	concurrent := moment.ConcurrentCalls(events, x.isTest)
	if run.fails {
		x.r.Moment = evidence.On(moment, x.momentSeen(moment, events))
		events = moment.Until(events)
		if x.isTest {
			events = moment.OwnTest(events)
		}
	}
	if e := moment.Event; e != nil && (e.Text == recording.Exited || x.v.Unmet != nil) {
		x.exitEvent(e)
	}
	near := judge.Near(x.syntax, events, x.isFrame)
	x.learn(events, moment, len(often)+len(run.left) == 0)
	log := run.Log
	log.Events = events
	within = often.Within(events)
	x.tabulate(log, near)
	if run.fails && hasCalls(concurrent) {
		x.addOtherThreads(log, concurrent)
	}
	return within
}

// addOtherThreads shows calls that had ended in other threads before the failure, if the failing
// thread has made none; otherwise it warns that there were some.
func (x *examination) addOtherThreads(log recording.Log, beside []recording.Event) {
	if len(x.r.Calls.Rows) > 0 {
		x.warn("what other threads have called before is not among the calls: trace shows it")
		return
	}
	log.Events = beside
	if x.tabulate(log, map[int64]int{}); len(x.r.Calls.Rows) > 0 {
		x.warn("the calls had ended in other threads before the failure: that it waited for them is not known")
	}
}

func hasCalls(events []recording.Event) bool {
	return slices.ContainsFunc(events, func(e recording.Event) bool { return e.Kind == recording.Enter })
}

// momentSeen is the event of a recorded run that is the failure.
func (x *examination) momentSeen(m judge.Moment, events []recording.Event) evidence.Observation {
	if m.At == len(events) {
		return x.stopSeen("where it stands", x.r.Message)
	}
	e := events[m.At]
	if m.Event != nil {
		e = *m.Event
	}
	if e.Test != "" {
		return x.notedSeen(e, string(e.Kind)+" of "+e.Test)
	}
	return x.notedSeen(e, string(e.Kind)+" in "+e.Function)
}

// tabulate shows the last calls of those that are nearest to the failure.
func (x *examination) tabulate(log recording.Log, near map[int64]int) {
	r := x.r
	log.Events = judge.Led(x.syntax, log.Events, r.Message, len(r.Frames) > 0 && x.v.Frame != nil) // those that an exit has stopped have their arguments in the table alone
	cutValues(log.Events)
	columns, rows := x.nearestRows(log, near)
	for _, row := range rows {
		for i := range row {
			if columns[i] == "from" && strings.Contains(row[i], " "+string(filepath.Separator)) {
				row[i] = ""
			}
		}
	}
	if len(rows) > 0 {
		r.Calls = Calls{Columns: columns, Rows: rows}
	}
}

// toFailing is the failure as the run that was stopped has shown it.
func (x *examination) toFailing() judge.Failing {
	r := x.r
	f := judge.Failing{Syntax: x.syntax, Type: x.stop.Type, Message: r.Message, File: r.Place.File, Line: cmp.Or(x.stood, r.Place.Line), Function: r.Place.Function}
	if r.Verdict == judge.ExitCode {
		f.ExitCode = r.ExitCode
	}
	if len(x.parts) > 0 {
		f.Values = map[string]string{}
	}
	for _, p := range x.parts {
		f.Values[p.Text] = p.Value
	}
	for _, frame := range r.Frames {
		f.Through = append(f.Through, judge.Place{File: frame.File, Line: frame.Line, Function: frame.Function})
	}
	if x.v.Exception != nil {
		if made := x.stackPlaces(x.v.Exception.Stack); len(made) > 0 {
			f.Made = made[0]
		}
	}
	return f
}

// isFrame says that a caller is one of the functions that the failure has stopped.
func (x *examination) isFrame(caller string) bool {
	name, at := recording.Caller(caller)
	caller = name + " " + x.s.RelAt(at)
	return slices.ContainsFunc(x.r.Frames, func(f Frame) bool { return judge.Calls(caller, f.Function, x.s.Rel(f.File)) })
}

// nearestRows are the rows of the calls that are nearest to the failure: those that the failed
// statement has made first, and of those that are equally far the last ones.
func (x *examination) nearestRows(log recording.Log, near map[int64]int) (columns []string, rows [][]string) {
	var calls []int64 // the last first
	for _, e := range slices.Backward(log.Events) {
		if file, _ := recording.FileLine(e.At); e.Kind == recording.Enter && !x.isInLibrary(file) {
			calls = append(calls, e.Call)
			if x.isOfStatement(e) {
				near[e.Call] = 0
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b int64) int { return near[a] - near[b] })
	for most := lastCalls; ; most++ {
		kept, chosen := log, calls[:min(most, len(calls))]
		kept.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e recording.Event) bool { return !slices.Contains(chosen, e.Call) })
		t := table.Calls(kept, x.s.RelAt)
		if len(t.Rows) > lastCalls { // some were folded
			return columns, rows
		}
		if columns, rows = t.Columns, t.Rows; most >= min(len(calls), mostFolded) {
			return columns, rows
		}
	}
}

// isOfStatement says that the statement that failed has made a call.
func (x *examination) isOfStatement(e recording.Event) bool {
	place := x.r.Place
	return place.File != "" && judge.CalledFrom(e, placeText(place.File, place.Line))
}

// cutValues leaves each call so much room that the last of its arguments is seen.
func cutValues(events []recording.Event) {
	for _, e := range events {
		for i, v := range e.Values {
			e.Values[i].Text = brief.Text(v.Text, max(longestCall/len(e.Values), leastValue))
		}
	}
}
