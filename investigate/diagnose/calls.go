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

// calls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (x *examination) calls(ctx context.Context) error {
	if !slices.Contains([]judge.Verdict{judge.TestFailure, judge.Exception, judge.Panic, judge.Signal, judge.ExitCode}, x.r.Verdict) {
		return nil
	}
	if !Starts(x.request) {
		return nil
	}
	own, whole := x.itself()
	if whole {
		return x.witnessedBy(ctx, own, "")
	}
	if x.r.Verdict == judge.Signal && (x.v.Frame == nil || x.r.Overflow) {
		if own != nil { // another run may die elsewhere
			x.partly(own, "")
		}
		return nil
	}
	return x.callsAgain(ctx, own)
}

// callsAgain has the program run once more to note its calls. Own is the run that failed,
// where that has noted those of some functions: they are told if the other comes to nothing.
func (x *examination) callsAgain(ctx context.Context, own *witness) error {
	if !x.hasTime() {
		switch {
		case own != nil:
			x.partly(own, "timeout_ms leaves no time to run it a second time, to note all of its calls")
		case x.s.Records():
			x.r.Warnings = append(x.r.Warnings, "timeout_ms leaves no time to run it a second time, to note its calls")
		}
		return nil
	}
	run, err := x.alike(ctx)
	if err != nil {
		return err
	}
	if own != nil && (run == nil || run.Exit == nil && !run.fails) {
		x.partly(own, "the program was run "+times(x.witnessed)+", to note all of its calls, and had not failed after "+brief.Duration(x.longest()))
		return nil
	}
	if run == nil {
		return nil
	}
	if x.runs.Made == 1 && x.mayHandle(run.Recording) {
		if over, err := x.goesOn(ctx); over || err != nil {
			return err
		}
	}
	return x.witnessedBy(ctx, run, "the program was run "+times(x.witnessed)+", to note its calls")
}

// partly tells what the run that failed has noted of its calls where it left functions
// alone, and no other run was to be had that did not.
func (x *examination) partly(own *witness, note string) {
	x.leave(own, own.left.With(own.thinned()))
	x.r.called = own.called
	x.recorded(own, nil)
	if note = strings.TrimPrefix(note+missing(own.left, ""), "; "); note != "" {
		x.r.Warnings = append(x.r.Warnings, note)
	}
}

// times says how often the program was run beyond the runs that were looked at.
func times(more int) string {
	switch more {
	case 1:
		return "a second time"
	case 2:
		return "twice more"
	}
	return strconv.Itoa(more) + " times more"
}

// witnessedBy tells what a recorded run shows of the failure, and of how it was made.
func (x *examination) witnessedBy(ctx context.Context, run *witness, note string) error {
	x.r.called = run.called
	why, often := x.unlike(run), run.thinned()
	if why == "" && len(often) > 0 {
		last, err := x.record(ctx, often.After(lastOften))
		if err != nil {
			return err
		}
		if run.number == 0 && last != nil && x.unlikeCounted(last, often) != "" {
			return x.callsAgain(ctx, nil) // the debugger may have had a part in how often
		}
		run, note = x.lastOf(often, run, last)
	}
	if why != "" {
		note += ": " + why
	} else {
		note += missing(run.left, x.recorded(run, often))
	}
	if note = strings.TrimPrefix(note, "; "); note != "" {
		x.r.Warnings = append(x.r.Warnings, note)
	}
	return nil
}

// lastOf is the run that tells the last calls of functions which are called often, and else
// the one that has counted them, without their calls; and what is to be said of that.
func (x *examination) lastOf(often judge.Thinned, counted, last *witness) (*witness, string) {
	again := "the program was run " + times(x.witnessed) + ", to note its calls"
	if last == nil {
		x.leave(counted, often)
		if x.witnessed == 0 {
			return counted, "there was no time to run the program a second time, to note its last calls"
		}
		return counted, again + ", and there was no time to do that once more"
	}
	if unlike := x.unlikeCounted(last, often); unlike != "" {
		x.leave(counted, often)
		return counted, again + "; of the last time: " + unlike
	}
	return last, again + "; the last " + strconv.Itoa(lastOften) + " of each are looked at of " + often.String()
}

// missing says which calls are not shown: those of functions that were left alone, and the
// one within which the others were made.
func missing(left judge.Thinned, within string) string {
	switch {
	case len(left) > 0:
		return fmt.Sprintf("; those of %s are not shown, of which there are more than %d", left.Names(), firstCalls)
	case within != "":
		return "; they were made in a call of " + within + " that began before these and is not shown"
	}
	return ""
}

// recorded takes from a recorded run that has failed alike what led to the failure. Within
// is the function of which a call has made the last calls, and was only counted itself.
func (x *examination) recorded(run *witness, often judge.Thinned) (within string) {
	x.told = run.number
	events, moment := run.Log.Events, run.moment
	if run.fails {
		x.r.Moment = evidence.On(moment, x.momentOf(moment, events))
		events = moment.Until(events)
	}
	near := judge.Near(events, x.isFrame)
	if e := moment.Event; e != nil && e.Text == recording.Exited {
		x.exitedAt(e)
	}
	x.learn(events, len(often)+len(run.left) == 0)
	log := run.Log
	log.Events = events
	within = often.Within(events)
	x.tabulate(log, near)
	return within
}

// momentOf is the event of a recorded run that is the failure.
func (x *examination) momentOf(m judge.Moment, events []recording.Event) evidence.Observation {
	if m.At == len(events) {
		return x.observed("where it stands", x.r.Message)
	}
	e := events[m.At]
	if m.Event != nil {
		e = *m.Event
	}
	if e.Test != "" {
		return x.noted(e, string(e.Kind)+" of "+e.Test)
	}
	return x.noted(e, string(e.Kind)+" in "+e.Function)
}

// tabulate shows the last calls of those that are nearest to the failure.
func (x *examination) tabulate(log recording.Log, near map[int64]int) {
	r := x.r
	log.Events = judge.Led(log.Events, r.Message, len(r.Frames) > 0)
	cutValues(log.Events)
	columns, rows := x.nearest(log, near)
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

// failing is the failure as the run that was stopped has shown it.
func (x *examination) failing() judge.Failing {
	r := x.r
	f := judge.Failing{Type: x.stop.Type, Message: r.Message, File: r.Place.File, Line: cmp.Or(x.stood, r.Place.Line), Function: r.Place.Function}
	if r.Verdict == judge.ExitCode {
		f.ExitCode = r.ExitCode
	}
	if x.v.Exception != nil {
		if made := x.stackOf(x.v.Exception.Stack); len(made) > 0 {
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

// nearest are the rows of the calls that are nearest to the failure: those that the failed
// statement has made first, and of those that are equally far the last ones.
func (x *examination) nearest(log recording.Log, near map[int64]int) (columns []string, rows [][]string) {
	var calls []int64 // the last first
	for _, e := range slices.Backward(log.Events) {
		if file, _ := recording.FileLine(e.At); e.Kind == recording.Enter && !x.inLibrary(file) {
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
	return place.File != "" && judge.CalledFrom(e, at(place.File, place.Line))
}

// cutValues leaves each call so much room that the last of its arguments is seen.
func cutValues(events []recording.Event) {
	for _, e := range events {
		for i, v := range e.Values {
			e.Values[i].Text = brief.Text(v.Text, max(longestCall/len(e.Values), leastValue))
		}
	}
}
