package diagnose

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"aidb-mcp/internal/recording"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session/table"
)

// How many of the last calls are shown, and how long a run may take that notes them.
const (
	lastCalls   = 8
	callsLimit  = 15 * time.Second
	callsLeast  = 5 * time.Second
	callsSlower = 4   // than the run that failed: a program that takes longer to record calls too much for that
	longestCall = 120 // bytes of a call's arguments, or of its result
	leastValue  = 24  // of one of them
	longestText = 200 // of a value as it is recorded
)

// calls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (x *examination) calls(ctx context.Context) error {
	if !slices.Contains([]judge.Verdict{judge.TestFailure, judge.Exception, judge.Panic, judge.Signal, judge.ExitCode}, x.r.Verdict) {
		return nil
	}
	if x.r.Verdict == judge.Signal && (x.v.Frame == nil || x.r.Overflow) {
		return nil
	}
	over := time.Now().Add(min(callsLimit, callsLeast+callsSlower*time.Since(x.begun), time.Until(x.question.Over)))
	if time.Until(over) < shortestRun || !Starts(x.request) {
		return nil
	}
	wish := recording.Wish{Text: longestText, Calls: &recording.Calls{Names: []string{"*"}}}
	run, err := x.Sessions.Record(ctx, x.request, wish, over, x.Progress)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || isRefused(run.Log) {
		return nil
	}
	x.r.called = judge.Names(run.Log.Events)
	x.r.Warnings = append(x.r.Warnings, "the program was run a second time, to note its calls")
	failed := run.Exit == nil || run.Exit.Code != 0 || run.Exit.Signal != ""
	raises := x.r.Verdict == judge.Exception || x.r.Verdict == judge.Panic || x.r.Verdict == judge.Signal
	again := judge.Recurs(run.Log.Events, x.r.Message) || failed && (x.r.Overflow || judge.EndsIn(run.Log.Events, x.r.Place.Function))
	if raises && !again || !failed {
		return nil // what failed is not what was recorded, or it did not fail again
	}
	near := judge.Near(run.Log.Events, x.isFrame)
	if run.Exit == nil && !judge.Reached(near) {
		return nil // the time was over before it came to what failed
	}
	x.learn(run.Log.Events)
	x.tabulate(run.Log, near)
	return nil
}

// tabulate shows the last calls of those that are nearest to the failure.
func (x *examination) tabulate(log recording.Log, near map[int64]int) {
	r := x.r
	shown := len(r.Frames) > 0
	log.Events = judge.Led(judge.Before(log.Events, r.Message, r.Place.Function), r.Message, shown)
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

// isRefused says that a recorder has not let the program run.
func isRefused(log recording.Log) bool {
	return slices.ContainsFunc(log.Events, func(e recording.Event) bool { return e.Kind == recording.Refused })
}

// isFrame says that a caller is one of the functions that the failure has stopped.
func (x *examination) isFrame(caller string) bool {
	at := strings.LastIndexByte(caller, ' ')
	caller = caller[:at+1] + x.s.RelAt(caller[at+1:])
	return slices.ContainsFunc(x.r.Frames, func(f Frame) bool { return judge.Calls(caller, f.Function, x.s.Rel(f.File)) })
}

// nearest are the rows of the calls up to that distance from the failure at which there
// are not too many; of the nearest the last ones.
func (x *examination) nearest(log recording.Log, near map[int64]int) (columns []string, rows [][]string) {
	distances := map[int]bool{}
	for _, distance := range near {
		distances[distance] = true
	}
	for _, most := range slices.Sorted(maps.Keys(distances)) {
		kept := log
		kept.Events = slices.DeleteFunc(slices.Clone(log.Events), func(e recording.Event) bool { return near[e.Call] > most })
		t := table.Calls(kept, x.s.RelAt)
		list := slices.DeleteFunc(t.Rows, func(row []string) bool { return filepath.IsAbs(row[0]) }) // of libraries
		if len(rows) > 0 && len(list) > lastCalls {
			break
		}
		columns, rows = t.Columns, list
	}
	if len(rows) > lastCalls {
		rows = rows[len(rows)-lastCalls:]
	}
	return columns, rows
}

// shorten cuts a text to so many bytes at most.
func shorten(text string, most int) string {
	const mark = "…"
	if len(text) <= most {
		return text
	}
	n := max(0, most-len(mark))
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + mark
}

// cutValues leaves each call so much room that the last of its arguments is seen.
func cutValues(events []recording.Event) {
	for _, e := range events {
		for i, v := range e.Values {
			e.Values[i].Text = shorten(v.Text, max(longestCall/len(e.Values), leastValue))
		}
	}
}
