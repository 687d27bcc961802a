package handlers

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/pattern"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/diagnosis"
	"aidb-mcp/session/output"
)

// printed adds what the program printed last, apart from the failure, which is told,
// and the report of a sanitizer in it.
func (x *examination) printed() {
	d, w := &x.data, x.h.show(x.s)
	d.Warnings = append(d.Warnings, x.v.Warnings...)
	stdout, stderr := &x.v.Output.Stdout, &x.v.Output.Stderr
	text, whole := x.stderr()
	if report := diagnosis.Report(text); report != "" {
		d.Report, stderr.Text, stderr.Cut = report, "", 0
		x.reported()
	} else if rest := diagnosis.Unrepeated(text, d.Message); whole && len(rest) <= len(stderr.Text) {
		stderr.Text, stderr.Cut, stderr.Partial = rest, 0, false // the failure was what made it long
	} else {
		stderr.Text = diagnosis.Unrepeated(stderr.Text, d.Message)
	}
	stdout.Text, stderr.Text = diagnosis.Untold(stdout.Text, d.Message), diagnosis.Untold(stderr.Text, d.Message)
	d.Output = w.output(x.v.Output)
}

// mostReported are the lines of stderr in which the report of a sanitizer is looked for.
const mostReported = 500

// stderr is what the program has printed there, with the beginning of a report that is
// longer than what a reply shows of it; whole says that it is all.
func (x *examination) stderr() (text string, whole bool) {
	tail := x.v.Output.Stderr
	if tail.Cut == 0 && !tail.Partial {
		return tail.Text, tail.Lost == 0
	}
	page := x.s.ReadOutput("stderr", output.Page{Start: -mostReported, Count: mostReported})
	return strings.Join(page.Lines, "\n"), page.Total == len(page.Lines)
}

// reported says of a report where it happened, and what, where no stop has shown that.
func (x *examination) reported() {
	d, w := &x.data, x.h.show(x.s)
	if d.Message == "" || strings.Contains(d.Message, "unable to extract") {
		d.Message = diagnosis.Headline(d.Report)
	}
	if d.Location != "" && !filepath.IsAbs(d.Location) {
		return
	}
	for _, place := range diagnosis.Places(d.Report) {
		at := w.at(place.File, place.Line)
		if lines, err := x.s.SourceLines(place.File, place.Line, place.Line); filepath.IsAbs(at) || err != nil || len(lines) == 0 {
			continue
		}
		d.Location, d.Function, d.Locals, d.Parts = at, place.Function, nil, nil // what was shown is the sanitizer's own
		d.Snapshot = w.snapshot(&session.Frame{File: place.File, Line: place.Line}, snapshotContext)
		return
	}
}

// How many frames are looked at to see whether a stack repeats.
const deepStack = 200

// recursion says of a stack that repeats without end how it does, and shows one round.
func (x *examination) recursion(ctx context.Context) error {
	if !diagnosis.Repeats(places(x.v.Stack)) {
		return nil
	}
	frames, total, err := x.s.Stack(ctx, 0, 0, deepStack)
	if err != nil {
		return context.Cause(ctx)
	}
	period, length := diagnosis.Recursion(places(frames))
	if period == 0 && len(frames) > 0 { // it is at the first line of the function
		frames = frames[1:]
		period, length = diagnosis.Recursion(places(frames))
	}
	if period == 0 || length < len(frames) && !diagnosis.Overflows(x.data.Message) {
		return nil
	}
	x.v.Stack, x.data.Frames = frames[:period], nil
	often := "more than " + fmt.Sprint(length)
	if total > 0 {
		often = fmt.Sprint(length)
		x.v.Stack = append(x.v.Stack, frames[length:]...)
	}
	if !diagnosis.Overflows(x.data.Message) {
		x.data.Message += "; stack overflow"
	}
	x.data.Message += fmt.Sprintf(": a recursion of %s frames, all like the first %s of these", often, counted(period))
	return x.callers(ctx)
}

func counted(n int) string {
	if n == 1 {
		return "one"
	}
	return fmt.Sprint(n)
}

func places(frames []session.Frame) []string {
	list := make([]string, len(frames))
	for i, f := range frames {
		list[i] = fmt.Sprintf("%s:%d %s", f.File, f.Line, f.Function)
	}
	return list
}

// statement is what a frame is at.
type statement struct {
	text  string   // empty where nobody has it
	above []string // the lines before it
}

func (x *examination) statement(f *session.Frame) statement {
	first := max(1, f.Line-linesAbove)
	lines, err := x.s.SourceLines(f.File, first, f.Line+linesAbove)
	if err != nil || f.Line-first >= len(lines) {
		return statement{}
	}
	return statement{text: x.evaluates(f, lines, f.Line-first), above: lines[:f.Line-first]}
}

// nameless matches functions that are written within a statement.
var nameless = pattern.New(`lambda\$|\{\{?closure|\boperator\(\)|<lambda|\banonymous\b`)

// evaluates is the statement of a line, or what of it a function evaluates that is
// written there, where the program stands in that.
func (x *examination) evaluates(f *session.Frame, lines []string, at int) string {
	statement := diagnosis.Statement(lines, at)
	if !nameless.MatchString(f.Function) {
		return statement
	}
	body := x.s.Body(lines[at], func(name string) bool {
		return slices.ContainsFunc(x.v.Locals, func(v session.Variable) bool { return v.Name == name })
	})
	if body == lines[at] {
		return statement
	}
	return body
}

// moving asks for the values that change where a program does not end.
func (x *examination) moving() []responses.NextStep {
	var names []string
	for _, c := range x.data.Changed {
		names = append(names, c.Name)
	}
	if len(names) == 0 || x.data.Location == "" {
		return nil
	}
	call := responses.NewCall("trace", append(startFields(x.start), "what", "values", "location", x.data.Location, "expressions", names, "limit", shownRounds)...)
	return []responses.NextStep{call.Why("how they go on from round to round")}
}

const shownRounds = 20
