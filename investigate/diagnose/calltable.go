package diagnose

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/text/brief"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/investigate/trace/table"
)

// takeRecording takes from a recorded run that has failed alike what led to the failure. Within
// is the function of which a call has made the last calls, and was only counted itself.
func (c *callSearch) takeRecording(run *witness, often judge.Thinned) (within string) {
	c.shown = run.number
	events, moment := run.Log.Events, run.moment
	concurrent := moment.ConcurrentCalls(events, c.failed.isTest)
	if run.fails {
		c.failed.r.Moment = evidence.On(moment, c.momentSeen(moment, events))
		events = moment.Until(events)
		if c.failed.isTest {
			events = moment.OwnTest(events)
		}
	}
	if e := moment.Event; e != nil && (e.Text == recording.Exited || c.failed.v.Unmet != nil) {
		c.exitEvent(e)
	}
	near := judge.Near(c.failed.syntax, events, c.isFrame)
	c.learn(events, moment, len(often)+len(run.left) == 0)
	log := run.Log
	log.Events = events
	within = often.Within(events)
	c.tabulate(log, near)
	if run.fails && hasCalls(concurrent) {
		c.addOtherThreads(log, concurrent)
	}
	if run.fails && moment.Event != nil && moment.Event.Child == 0 && slices.ContainsFunc(run.Log.Events, isCallOfChild) {
		c.failed.r.warn("what the threads and processes have called that the program has started is not among the calls: trace shows it")
	}
	return within
}

func isCallOfChild(e recording.Event) bool { return e.Kind == recording.Enter && e.Child > 0 }

// addOtherThreads shows calls that had ended in other threads before the failure, if the failing
// thread has made none; otherwise it warns that there were some.
func (c *callSearch) addOtherThreads(log recording.Log, beside []recording.Event) {
	if len(c.failed.r.Calls.Rows) > 0 {
		c.failed.r.warn("what other threads have called before is not among the calls: trace shows it")
		return
	}
	log.Events = beside
	if c.tabulate(log, map[int64]int{}); len(c.failed.r.Calls.Rows) > 0 {
		c.failed.r.warn("the calls had ended in other threads before the failure: that it waited for them is not known")
	}
}

func hasCalls(events []recording.Event) bool {
	return slices.ContainsFunc(events, func(e recording.Event) bool { return e.Kind == recording.Enter })
}

// momentSeen is the event of a recorded run that is the failure.
func (c *callSearch) momentSeen(m judge.Moment, events []recording.Event) evidence.Observation {
	if m.At == len(events) {
		return c.failed.stopSeen("where it stands", c.failed.r.Message)
	}
	e := events[m.At]
	if m.Event != nil {
		e = *m.Event
	}
	if e.Test() != "" {
		return c.notedSeen(e, string(e.Kind)+" of "+e.Test())
	}
	return c.notedSeen(e, string(e.Kind)+" in "+e.Function)
}

// tabulate shows the last calls of those that are nearest to the failure.
func (c *callSearch) tabulate(log recording.Log, near map[int64]int) {
	r := c.failed.r
	log.Events = judge.Led(c.failed.syntax, log.Events, r.Message, len(r.Frames) > 0 && c.failed.v.Frame != nil) // those that an exit has stopped have their arguments in the table alone
	cutValues(log.Events)
	columns, rows := c.nearestRows(log, near)
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

// isFrame says that a caller is one of the functions that the failure has stopped.
func (c *callSearch) isFrame(caller string) bool {
	name, at := recording.Caller(caller)
	caller = name + " " + c.failed.s.RelAt(at)
	return slices.ContainsFunc(c.failed.r.Frames, func(f Frame) bool { return judge.Calls(caller, f.Function, c.failed.s.Rel(f.File)) })
}

// nearestRows are the rows of the calls that are nearest to the failure: those that the failed
// statement has made first, and of those that are equally far the last ones.
func (c *callSearch) nearestRows(log recording.Log, near map[int64]int) (columns []string, rows [][]string) {
	var calls []int64 // the last first
	for _, e := range slices.Backward(log.Events) {
		if file, _ := recording.FileLine(e.At); e.Kind == recording.Enter && !c.failed.isInLibrary(file) {
			calls = append(calls, e.Call)
			if c.isOfStatement(e) {
				near[e.Call] = 0
			}
		}
	}
	slices.SortStableFunc(calls, func(a, b int64) int { return near[a] - near[b] })
	for most := lastCalls; ; most++ {
		kept, chosen := log, calls[:min(most, len(calls))]
		kept.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e recording.Event) bool { return !slices.Contains(chosen, e.Call) })
		t := table.Calls(kept, c.failed.s.RelAt)
		if len(t.Rows) > lastCalls { // some were folded
			return columns, rows
		}
		if columns, rows = t.Columns, t.Rows; most >= min(len(calls), mostFolded) {
			return columns, rows
		}
	}
}

// isOfStatement says that the statement that failed has made a call.
func (c *callSearch) isOfStatement(e recording.Event) bool {
	place := c.failed.r.Place
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
