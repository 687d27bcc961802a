package handlers

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// How much of a diagnosis is shown.
const (
	mostErrors  = 6 // of a build
	mostLocals  = 12
	longestPart = 160 // bytes
	longestRow  = 240 // of a cell in a row of calls
	hangGroups  = 8
)

// diagnosisReply turns the result of a diagnosis into what a reply shows.
type diagnosisReply struct {
	h     *Handlers
	r     *diagnose.Result
	far   *farRuns      // those on other machines; nil: none were asked
	start *tools.Start  // as it was asked for
	given time.Duration // for the call
}

// data is the result in the reply's words.
func (d *diagnosisReply) data() *responses.Diagnosis {
	r := d.r
	out := &responses.Diagnosis{
		Verdict: string(r.Verdict), Message: d.message(), Causes: d.causes(), ExitCode: r.ExitCode, Signal: r.Signal,
		Location: d.at(r.Place), Function: r.Place.Function, Parts: d.parts(), Frames: d.frames(), Samples: d.samples(),
		Report: r.Report, Calls: calls(r.Calls), Warnings: r.Warnings,
		Accesses: d.accesses(), Detector: d.detector(),
	}
	if r.Flaky() {
		out.Verdict, out.FailsAs = string(judge.Flaky), out.Verdict
	}
	if e := r.Excerpt; e != nil {
		out.Snapshot = &responses.Snapshot{First: e.First, Current: e.Current, Column: e.Column, Lines: e.Lines}
	}
	if c, blamed := r.Culprit.Get(); blamed {
		out.Culprit = &responses.Culprit{Expression: c.Expression, Value: c.Value, Why: c.Why}
	}
	if s, known := r.Sides.Get(); known {
		out.Expected, out.Actual, out.Left, out.Right = s.Expected, s.Actual, s.Left, s.Right
	}
	for _, c := range r.Changed {
		out.Changed = append(out.Changed, responses.Change(c))
	}
	out.Leftover = d.leftover()
	if r.Build != nil {
		out.Errors = buildErrors(r.Build)
	}
	if r.Session == nil {
		return out
	}
	if r.View == nil { // no debugger has looked at it
		out.Output = plainOutput(r.Output)
		return out
	}
	out.Waits, out.Cycles = d.waits()
	w, frame := d.h.show(r.Session), 0
	if r.View.Frame != nil {
		frame = r.View.Frame.Index
	}
	out.Locals = w.locals(r.Locals[:min(len(r.Locals), mostLocals)], 0, len(r.Locals), frame)
	out.Output = w.output(r.Output)
	return out
}

// evidence is on what the findings stand.
func (d *diagnosisReply) evidence() []responses.Evidence {
	var list []responses.Evidence
	add := func(of string, stands []evidence.Observation) {
		for _, o := range stands {
			read := responses.Shorten(o.What, longestPart)
			if o.Value != "" {
				read += " = " + responses.Shorten(d.h.Mask.Variable(o.What, o.Value), longestPart)
			}
			list = append(list, responses.Evidence{Of: of, Run: o.Run, Event: o.Event, At: d.atText(o.At), Read: read})
		}
	}
	add("culprit", d.r.Culprit.Stands())
	add("sides", d.r.Sides.Stands())
	add("moment", d.r.Moment.Stands())
	add("handled", d.r.Handled.Stands())
	add("lost", d.r.Lost.Stands())
	add("computing", d.r.Busy.Stands())
	add("no progress", d.r.Still.Stands())
	return list
}

// atText is a place that was written as "file:line".
func (d *diagnosisReply) atText(at string) string {
	p := judge.WhereOf("", at)
	return d.at(diagnose.Place{File: p.File, Line: p.Line})
}

// at is a place as replies write it.
func (d *diagnosisReply) at(p diagnose.Place) string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return source.Rel(d.r.Workspace, p.File)
	}
	return fmt.Sprintf("%s:%d", source.Rel(d.r.Workspace, p.File), p.Line)
}

// message is what the failure says, and how its stack repeats.
func (d *diagnosisReply) message() string {
	c := d.r.Recursion
	if c == nil {
		return d.r.Message
	}
	said, often, round := d.r.Message, fmt.Sprint(c.Frames), fmt.Sprint(c.Period)
	if c.Silent {
		said += "; stack overflow"
	}
	if c.AtLeast {
		often = "more than " + often
	}
	if c.Period == 1 {
		round = "one"
	}
	return said + fmt.Sprintf(": a recursion of %s frames, all like the first %s of these", often, round)
}

func (d *diagnosisReply) causes() []string {
	var list []string
	for _, c := range d.r.Causes {
		if c.Caught {
			list = append(list, firstLine(c.Message)+", caught; raised in "+c.Raised.Function+" ("+d.at(c.Raised)+")")
			continue
		}
		if c.Apart {
			list = append(list, firstLine(c.Message)+", raised in another thread, in "+c.Raised.Function+" ("+d.at(c.Raised)+")")
			continue
		}
		said := reason(c.Exception)
		if location := d.at(c.Raised); location != "" {
			said += ", raised in " + responses.Theirs(c.Raised.Function) + " (" + location + ")"
		}
		list = append(list, said)
	}
	return list
}

func (d *diagnosisReply) parts() []responses.PartValue {
	var list []responses.PartValue
	for _, p := range d.r.Parts {
		shown := responses.PartValue{Expression: p.Text, Value: responses.Shorten(d.h.Mask.Variable(p.Text, p.Value), longestPart), Bad: p.Bad, Unsure: p.Unsure && !p.Bad}
		if p.Missing != "" {
			shown.Value = "(" + p.Missing + ")"
		}
		list = append(list, shown)
	}
	return list
}

func (d *diagnosisReply) frames() []responses.UserFrame {
	var list []responses.UserFrame
	for _, f := range d.r.Frames {
		shown := responses.UserFrame{At: d.at(f.Place), Function: f.Function, Times: f.Times, AtLeast: f.AtLeast, LeftOut: f.Left, More: f.More}
		for _, a := range f.Arguments {
			shown.Arguments = append(shown.Arguments, responses.Member{Name: a.Name, Value: responses.Shorten(d.h.Mask.Variable(a.Name, a.Value), longestOperand)})
		}
		list = append(list, shown)
	}
	return list
}

func calls(c diagnose.Calls) *responses.CallRows {
	if len(c.Rows) == 0 {
		return nil
	}
	for _, row := range c.Rows {
		for i := range row {
			row[i] = responses.Shorten(row[i], longestRow)
		}
	}
	return &responses.CallRows{Columns: c.Columns, Rows: c.Rows}
}

func buildErrors(b *diagnose.BuildFailure) any {
	if len(b.Others) == 0 {
		return b.Details
	}
	var list []responses.BuildError
	for _, e := range b.Others[:min(len(b.Others), mostErrors-1)] {
		list = append(list, responses.BuildError(e))
	}
	return list
}

// samples are the samples for people; what was the same in all is told once.
func (d *diagnosisReply) samples() [][]string {
	var all [][]string
	for _, s := range d.r.Samples {
		users := len(s.Users()) > 0
		var lines []string
		for _, t := range s {
			if (t.At != "" || !users) && len(lines) < hangGroups {
				lines = append(lines, d.threadLine(t))
			}
		}
		all = append(all, lines)
	}
	if len(all) > 0 && !slices.ContainsFunc(all, func(lines []string) bool { return !slices.Equal(lines, all[0]) }) {
		return all[:1]
	}
	return all
}

// waits are who waits for what, of a program that hangs: those in the user's code.
func (d *diagnosisReply) waits() (rows *responses.List[responses.Wait], cycles []string) {
	w := d.h.show(d.r.Session)
	users := slices.DeleteFunc(slices.Clone(d.r.Waits.Rows), func(r session.Wait) bool { return r.At.Line == 0 })
	if len(users) == 0 {
		return nil, nil
	}
	page := responses.Page{What: "rows of waits", Total: len(users)}
	if d.r.SessionOpen {
		page.More = func(start int) responses.Call { return w.call("inspect", "target", "waits", "start", start) }
	}
	return responses.NewList(w.waits(users[:min(len(users), hangGroups)]), page), w.cycles(d.r.Waits.Cycles)
}

// isNumbered says that what a thread waits on names this one by its number.
func (d *diagnosisReply) isNumbered(id int) bool {
	return slices.ContainsFunc(slices.Concat(d.r.Samples...), func(t judge.Thread) bool { return t.WaitsFor(id) })
}

// threadLine is "2 goroutines wait for a lock (mu, held by goroutine 7) at a.go:12 in main.f".
func (d *diagnosisReply) threadLine(t judge.Thread) string {
	line := t.Name
	switch {
	case t.Count > 1:
		line = fmt.Sprintf("%d like %s", t.Count, t.Name)
	case len(t.IDs) == 1 && d.isNumbered(t.IDs[0]):
		line = fmt.Sprintf("thread %d (%s)", t.IDs[0], t.Name)
	}
	if t.Waiting != "" {
		line += " waits: " + t.Waiting
		if t.Object != "" {
			line += " (" + t.Object + ")"
		}
	}
	if t.At != "" {
		line += " at " + d.at(diagnose.Place{File: t.File, Line: t.Line}) + " in " + t.In
	}
	if t.Tasks != "" {
		line += "; tasks: " + t.Tasks
	}
	return line
}

// summary is the verdict in a sentence.
func (d *diagnosisReply) summary() string {
	r := d.r
	said := d.outcome()
	if said := d.detectedOutcome(said); said != "" {
		return said
	}
	if c, blamed := r.Culprit.Get(); blamed {
		said += "; " + blame(c)
	}
	switch {
	case r.Flaky() && d.far != nil:
		said = fmt.Sprintf("%d of %d runs failed: %s", r.Runs.Failed, r.Runs.Made, said)
	case r.Flaky():
		said = fmt.Sprintf("run %d failed, %d did not: %s", r.Runs.Made, r.Runs.Made-1, said)
	}
	return said
}

// outcome is what became of the last run.
func (d *diagnosisReply) outcome() string {
	r, message, location := d.r, d.message(), d.at(d.r.Place)
	said := strings.ReplaceAll(string(r.Verdict), "_", " ")
	switch {
	case r.Verdict == judge.Leftover:
		said = "it ran to its end, and has left running " + d.leftCounts()
	case r.Verdict == judge.OK && r.Runs.Made > 1:
		said = fmt.Sprintf("none of %d runs failed", r.Runs.Made)
	case r.Verdict == judge.OK && r.Lost.Is():
		lost, _ := r.Lost.Get()
		said = "it ran to its end, and has lost an exception: " + responses.Theirs(firstLine(lost))
	case r.Verdict == judge.OK:
		said = "nothing went wrong: it ran to its end"
	case r.View != nil && r.View.State.Status == session.StoppedException && r.Verdict != judge.BuildFailed && !r.Elsewhere:
		said = d.h.show(r.Session).outcome(r.View)
		if _, overflow, found := strings.Cut(message, "; stack overflow"); found && r.Recursion != nil {
			said += "; stack overflow" + overflow
		}
	case r.Elsewhere && r.View.Exception != nil && len(r.View.Exception.Origin.First) > 0:
		said = responses.Theirs(firstLine(message)) + place(location) + " in " + responses.Theirs(r.Place.Function)
	case r.Verdict == judge.ExitCode:
		said = fmt.Sprintf("exited with code %d", *r.ExitCode)
		if r.Elsewhere && message != "" {
			said += ": " + responses.Theirs(firstLine(message)) + place(location)
		}
		if causes := d.causes(); len(causes) > 0 {
			said += "; before that " + responses.Theirs(causes[0])
		}
	case r.Verdict == judge.Signal && location == "":
		said = "ended by signal " + r.Signal
		if message != "" {
			said += ": " + responses.Theirs(firstLine(message))
		}
	case r.Verdict == judge.Cut:
		said = responses.Theirs(firstLine(message)) + place(location)
	case message != "":
		said += ": " + responses.Theirs(firstLine(message))
		if !strings.Contains(said, location) {
			said += place(location)
		}
	}
	if r.Verdict == judge.OK && len(r.Left.Things) > 0 {
		said += "; left running: " + d.leftCounts()
	}
	return said + d.failedChildren()
}

// place adds where it was to a sentence, where that is known.
func place(location string) string {
	if location == "" {
		return ""
	}
	return ", at " + responses.Theirs(location)
}

// blame is the culprit in words.
func blame(c diagnose.Culprit) string {
	said := c.Expression
	switch {
	case c.Value != "":
		said += " is " + responses.Theirs(responses.Shorten(c.Value, longestOperand))
		if c.Why != "" {
			said += ", " + c.Why
		}
	case c.Why != "":
		said += ": " + c.Why
	default:
		said += " is where it went wrong"
	}
	return said
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return responses.Shorten(text, longestReason)
}
