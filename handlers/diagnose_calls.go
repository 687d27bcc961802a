package handlers

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/recording"
	"aidb-mcp/responses"
	"aidb-mcp/session/diagnosis"
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
)

// calls adds the last calls of the user's code that led to the failure, by a run under
// a recorder, where the language has one and there is time for it. What that run shows
// is only told when it fails too.
func (x *examination) calls(ctx context.Context) error {
	if !slices.Contains([]diagnosis.Verdict{diagnosis.TestFailure, diagnosis.Exception, diagnosis.Panic, diagnosis.Signal, diagnosis.ExitCode}, x.verdict) {
		return nil
	}
	if x.verdict == diagnosis.Signal && (x.v.Frame == nil || x.overflown()) {
		return nil
	}
	over := time.Now().Add(min(callsLimit, callsLeast+callsSlower*time.Since(x.begun), time.Until(x.over)))
	if time.Until(over) < shortestRun || !starts(x.request) {
		return nil
	}
	wish := recording.Wish{Text: longestTraced, Calls: &recording.Calls{Names: []string{"*"}}}
	run, err := x.h.Sessions.Record(ctx, x.request, wish, over, func(doing string) { x.c.tell(doing, 0, 0) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil || refusal(run.Log) != nil {
		return nil
	}
	x.called = diagnosis.Names(run.Log.Events)
	x.data.Warnings = append(x.data.Warnings, "the program was run a second time, to note its calls")
	failed := run.Exit == nil || run.Exit.Code != 0 || run.Exit.Signal != ""
	raises := x.verdict == diagnosis.Exception || x.verdict == diagnosis.Panic || x.verdict == diagnosis.Signal
	again := diagnosis.Recurs(run.Log.Events, x.data.Message) || failed && (x.overflown() || diagnosis.EndsIn(run.Log.Events, x.data.Function))
	if raises && !again || !failed {
		return nil // what failed is not what was recorded, or it did not fail again
	}
	near := diagnosis.Near(run.Log.Events, x.isFrame)
	if run.Exit == nil && !diagnosis.Reached(near) {
		return nil // the time was over before it came to what failed
	}
	x.learn(run.Log.Events)
	x.tabulate(run.Log, near)
	return nil
}

// tabulate shows the last calls of those that are nearest to the failure.
func (x *examination) tabulate(log recording.Log, near map[int64]int) {
	d := &x.data
	shown := len(d.Frames) > 0
	log.Events = diagnosis.Led(diagnosis.Before(log.Events, d.Message, d.Function), d.Message, shown)
	cutValues(log.Events)
	columns, rows := x.nearest(log, near)
	for _, row := range rows {
		for i := range row {
			if columns[i] == "from" && strings.Contains(row[i], " "+string(filepath.Separator)) {
				row[i] = ""
			}
			row[i] = responses.Shorten(row[i], 2*longestCall)
		}
	}
	if len(rows) > 0 {
		d.Calls = &responses.CallRows{Columns: columns, Rows: rows}
	}
}

// isFrame says that a caller is one of the functions that the failure has stopped.
func (x *examination) isFrame(caller string) bool {
	at := strings.LastIndexByte(caller, ' ')
	caller = caller[:at+1] + x.s.RelAt(caller[at+1:])
	return slices.ContainsFunc(x.data.Frames, func(f responses.UserFrame) bool {
		file, _, _ := strings.Cut(f.At, ":")
		return diagnosis.Calls(caller, f.Function, file)
	})
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

// cutValues leaves each call so much room that the last of its arguments is seen.
func cutValues(events []recording.Event) {
	for _, e := range events {
		for i, v := range e.Values {
			e.Values[i].Text = responses.Shorten(v.Text, max(longestCall/len(e.Values), leastValue))
		}
	}
}

// learn takes from a recorded run what the run before it could not show: the result of
// the call that is to blame, arguments that the debugger does not list, where the program
// ended itself.
func (x *examination) learn(events []recording.Event) {
	d := &x.data
	if c := d.Culprit; c != nil && c.Value == "" && calledName(c.Expression) != "" {
		f := x.v.Frame
		if value := diagnosis.Returned(events, calledName(c.Expression), at(f.File, f.Line)); value != "" {
			c.Value = value
			if diagnosis.IsNone(value) {
				c.Why = ""
			}
			for i := range d.Parts {
				if d.Parts[i].Bad {
					d.Parts[i].Value = value
				}
			}
		}
	}
	if d.Culprit == nil && x.v.Frame != nil {
		if i, value := diagnosis.GaveNothing(x.stop, x.parts, events, at(x.v.Frame.File, x.v.Frame.Line)); i >= 0 {
			x.parts[i].Value, x.parts[i].Missing = value, ""
			d.Parts = x.shownParts(x.parts, i)
			d.Culprit = &responses.Culprit{Expression: x.parts[i].Text, Value: value}
		}
	}
	if x.overflown() {
		x.nested(events)
	}
	for i := range d.Frames {
		if f := &d.Frames[i]; len(f.Arguments) == 0 && i < 3 {
			f.Arguments = x.entered(events, f)
		}
	}
	if x.verdict == diagnosis.ExitCode {
		x.exited(diagnosis.ExitOf(events))
	}
}

// entered are the arguments with which a frame's function was called last.
func (x *examination) entered(events []recording.Event, f *responses.UserFrame) responses.Object {
	var given responses.Object
	if f.Function == "(anonymous)" {
		return nil // it may be any
	}
	for _, e := range events {
		if e.Kind != recording.Enter || e.Function != f.Function || len(e.Names) == 0 {
			continue
		}
		given = nil
		for i, name := range e.Names[:min(len(e.Names), len(e.Values), mostArguments)] {
			value := responses.Shorten(x.h.Mask.Variable(name, e.Values[i].Text), longestOperand)
			given = append(given, responses.Member{Name: name, Value: value})
		}
	}
	return given
}

// exited tells where a program has ended itself, and the last exception before that.
func (x *examination) exited(exit diagnosis.Exit) {
	d := &x.data
	if exit.At != "" && d.Location == "" {
		d.Location, d.Function = x.s.RelAt(exit.At), exit.Function
		x.snapshotAt(exit.At)
	}
	if exit.Caught != "" && !x.inLibrary(exit.CaughtAt) {
		d.Causes = append(d.Causes, firstLine(exit.Caught)+", caught; raised in "+exit.In+" ("+x.s.RelAt(exit.CaughtAt)+")")
	}
}

func (x *examination) inLibrary(at string) bool { return filepath.IsAbs(x.s.RelAt(at)) }

// nested shows the calls that were open when the stack was full.
func (x *examination) nested(events []recording.Event) {
	if list := diagnosis.Nested(events); len(list) > 1 {
		x.frames(list)
	}
}

// frames shows places as frames, those that repeat once.
func (x *examination) frames(list []diagnosis.Place) {
	x.data.Frames = nil
	for _, p := range diagnosis.Folded(list) {
		rel := x.s.RelAt(at(p.File, p.Line))
		if filepath.IsAbs(rel) {
			continue
		}
		f := responses.UserFrame{At: rel, Function: p.Function}
		if p.Times > 1 {
			f.Times = p.Times
		}
		if x.data.Frames = append(x.data.Frames, f); len(x.data.Frames) == mostFrames {
			break
		}
	}
}

// overflown says that the stack was too small.
func (x *examination) overflown() bool { return diagnosis.Overflows(x.data.Message) }
