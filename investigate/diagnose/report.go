package diagnose

import (
	"context"
	"slices"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session/output"
)

// addOutput adds what the program printed last, apart from the failure, which is told,
// and the report of a sanitizer in it.
func (x *examination) addOutput() {
	r, syntax := x.r, x.syntax
	r.Warnings = append(r.Warnings, x.v.Warnings...)
	stdout, stderr := &x.v.Output.Stdout, &x.v.Output.Stderr
	text, whole := x.stderr()
	if report := judge.Report(text); report != "" {
		r.Report, stderr.Text, stderr.Cut = report, "", 0
		x.applyReport()
	} else if rest := judge.Unrepeated(syntax, text, r.Message); whole && len(rest) <= len(stderr.Text) {
		stderr.Text, stderr.Cut, stderr.Partial = rest, 0, false // the failure was what made it long
	} else {
		stderr.Text = judge.Unrepeated(syntax, stderr.Text, r.Message)
	}
	stdout.Text, stderr.Text = judge.Untold(syntax, stdout.Text, r.Message), judge.Untold(syntax, stderr.Text, r.Message)
	r.Output = x.v.Output
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

// applyReport takes the place and the words of the failure from a report, where no stop
// has shown them.
func (x *examination) applyReport() {
	r := x.r
	if r.Message == "" || strings.Contains(r.Message, "unable to extract") {
		r.Message = judge.Headline(r.Report)
	}
	own := x.ownPlaces(judge.Accesses(r.Report))
	if len(own) == 0 {
		own = x.ownPlaces(judge.Places(r.Report))
	}
	stands := func(p judge.Place) bool { return p.Line == r.Place.Line && p.File == r.Place.File }
	if len(own) == 0 || r.Place.File != "" && !x.isInLibrary(r.Place.File) && slices.ContainsFunc(own, stands) {
		return
	}
	// It was stopped elsewhere: by the sanitizer, or by who was told of its report.
	r.Place, r.Locals, r.Parts = Place{File: own[0].File, Line: own[0].Line, Function: own[0].Function}, nil, nil
	r.Culprit, r.Sides, r.Elsewhere = evidence.Finding[Culprit]{}, evidence.Finding[judge.Sides]{}, true
	r.Frames = nil
	x.r.Excerpt = x.excerpt(r.Place.File, r.Place.Line, 0)
}

// readPrintedFailure reads the exception that the program has printed at its end, where the
// debugger did not stop at it.
func (x *examination) readPrintedFailure() {
	p, r := judge.PrintedIn(x.syntax, x.v.Output.Stderr.Text), x.r
	if p.Message == "" { // it may have begun long before what is shown
		p = judge.PrintedIn(x.syntax, x.wholeStderr())
	}
	if p.Message == "" {
		return
	}
	before := x.v.Output
	x.printed = &before
	r.Verdict, r.Message = judge.Exception, p.Message
	if judge.IsUnreadable(x.syntax, p.Message) {
		r.Verdict = judge.BuildFailed
	}
	r.Overflow = judge.Stop{Syntax: x.syntax}.Overflows(p.Message)
	x.v.Output.Stderr.Text = x.outputBefore(p.Before)
	x.r.Frames = x.framesOf(p.Frames)
	if len(r.Frames) == 0 {
		return
	}
	r.Place = r.Frames[0].Place
	if call, over := r.recursiveCall(); over && r.Overflow {
		r.Place = call
	}
	x.r.Excerpt = x.excerpt(r.Place.File, r.Place.Line, 0)
}

// mostPrinted are the lines of stderr in which an exception is looked for that is longer than
// what a reply shows: a full stack has thousands.
const mostPrinted = 10_000

// wholeStderr is what the program has printed there, where a reply shows only the end of it.
func (x *examination) wholeStderr() string {
	tail := x.v.Output.Stderr
	if tail.Cut == 0 && !tail.Partial && tail.Lost == 0 {
		return ""
	}
	return strings.Join(x.s.ReadOutput("stderr", output.Page{Start: -mostPrinted, Count: mostPrinted}).Lines, "\n")
}

// outputBefore is the end of what was printed before an exception, no longer than what was
// shown of stderr.
func (x *examination) outputBefore(before string) string {
	if room := len(x.v.Output.Stderr.Text); len(before) > room {
		before = before[len(before)-room:]
		before = before[strings.IndexByte(before, '\n')+1:]
	} else {
		x.v.Output.Stderr.Cut, x.v.Output.Stderr.Partial = 0, false // the exception was what made it long
	}
	return before
}

// showInputWait shows where the program waits for input.
func (x *examination) showInputWait(ctx context.Context) error {
	x.r.Message = "it waits for input, and was given none: give it with stdin, which may be empty"
	if !x.s.ShowsRunning() {
		return nil
	}
	sample, _, err := x.takeSample(ctx)
	if err != nil {
		return nil //nolint:nilerr // the verdict stands without the place
	}
	for _, t := range sample {
		if t.File != "" {
			x.setPlace(t)
			return nil
		}
	}
	return nil
}
