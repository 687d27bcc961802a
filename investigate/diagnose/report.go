package diagnose

import (
	"context"
	"slices"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
	"aidb-mcp/session/output"
)

// addOutput adds what the program printed last, apart from the failure, which is told,
// and the report of a sanitizer in it.
func (o *outcome) addOutput() {
	r, syntax := o.r, o.syntax
	r.Warnings = append(r.Warnings, o.v.Warnings...)
	stdout, stderr := &o.v.Output.Stdout, &o.v.Output.Stderr
	text, whole := o.stderrOf(&o.v.Output)
	if report := judge.Report(text); report != "" {
		r.Report, stderr.Text, stderr.Cut = report, "", 0
		o.applyReport()
	} else if rest := judge.Unrepeated(syntax, text, r.Message); whole && len(rest) <= len(stderr.Text) {
		stderr.Text, stderr.Cut, stderr.Partial = rest, 0, false // the failure was what made it long
	} else {
		stderr.Text = judge.Unrepeated(syntax, stderr.Text, r.Message)
	}
	stdout.Text, stderr.Text = judge.Untold(syntax, stdout.Text, r.Message), judge.Untold(syntax, stderr.Text, r.Message)
	r.Output = o.v.Output
}

// mostReported are the lines of stderr in which the report of a sanitizer is looked for.
const mostReported = 500

// stderrOf is what the program has printed there, with the beginning of a report that is
// longer than what a reply shows of it; whole says that it is all.
func (c userCode) stderrOf(out *session.Output) (text string, whole bool) {
	tail := out.Stderr
	if tail.Cut == 0 && !tail.Partial {
		return tail.Text, tail.Lost == 0
	}
	page := c.s.ReadOutput("stderr", output.Page{Start: -mostReported, Count: mostReported})
	return strings.Join(page.Lines, "\n"), page.Total == len(page.Lines)
}

// applyReport takes the place and the words of the failure from a report, where no stop
// has shown them.
func (o *outcome) applyReport() {
	r := o.r
	if r.Message == "" || strings.Contains(r.Message, "unable to extract") {
		r.Message = judge.Headline(r.Report)
	}
	own := o.ownPlaces(judge.Accesses(r.Report))
	if len(own) == 0 {
		own = o.ownPlaces(judge.Places(r.Report))
	}
	stands := func(p judge.Place) bool { return p.Line == r.Place.Line && p.File == r.Place.File }
	if len(own) == 0 || r.Place.File != "" && !o.isInLibrary(r.Place.File) && slices.ContainsFunc(own, stands) {
		return
	}
	// It was stopped elsewhere: by the sanitizer, or by who was told of its report.
	r.showAt(o.userCode, Place{File: own[0].File, Line: own[0].Line, Function: own[0].Function}, 0)
	r.Locals, r.Parts = nil, nil
	r.Culprit, r.Sides, r.Elsewhere = evidence.Finding[Culprit]{}, evidence.Finding[judge.Sides]{}, true
	r.Frames = nil
}

// readPrintedFailure reads the exception that the program has printed at its end, where the
// debugger did not stop at it.
func (o *outcome) readPrintedFailure() {
	text, r := o.v.Output.Stderr.Text, o.r
	p := judge.PrintedIn(o.syntax, text)
	if p.Message == "" { // it may have begun long before what is shown
		text = o.wholeStderr(&o.v.Output)
		p = judge.PrintedIn(o.syntax, text)
	}
	if p.Message == "" {
		return
	}
	before := o.v.Output
	o.printed = &before
	r.Verdict, r.Message = judge.Exception, p.Message
	if judge.IsUnreadable(o.syntax, p.Message) {
		r.Verdict = judge.BuildFailed
	}
	r.Overflow = judge.Stop{Syntax: o.syntax}.Overflows(p.Message)
	cutBefore(&o.v.Output.Stderr, p.Before)
	o.r.Frames = o.framesOf(p.Frames)
	if r.Verdict == judge.BuildFailed && o.showUnreadableAt(judge.UnreadIn(o.syntax, text)) || len(r.Frames) == 0 {
		return
	}
	place := r.Frames[0].Place
	if call, over := r.recursiveCall(); over && r.Overflow {
		place = call
	}
	r.showAt(o.userCode, place, 0)
}

// mostPrinted are the lines of stderr in which an exception is looked for that is longer than
// what a reply shows: a full stack has thousands.
const mostPrinted = 10_000

// wholeStderr is what the program has printed there, where a reply shows only the end of it.
func (c userCode) wholeStderr(out *session.Output) string {
	tail := out.Stderr
	if tail.Cut == 0 && !tail.Partial && tail.Lost == 0 {
		return ""
	}
	return strings.Join(c.s.ReadOutput("stderr", output.Page{Start: -mostPrinted, Count: mostPrinted}).Lines, "\n")
}

// cutBefore leaves of a stream what was printed before an exception, its end, no longer than what was
// shown of it.
func cutBefore(stream *output.Tail, before string) {
	if room := len(stream.Text); len(before) > room {
		before = before[len(before)-room:]
		before = before[strings.IndexByte(before, '\n')+1:]
	} else {
		stream.Cut, stream.Partial = 0, false // the exception was what made it long
	}
	stream.Text = before
}

// showInputWait shows where the program waits for input.
func (o *outcome) showInputWait(ctx context.Context) error {
	o.r.Message = "it waits for input, and was given none: give it with stdin, which may be empty"
	if !o.s.ShowsRunning() {
		return nil
	}
	sample, _, err := o.run.takeSample(ctx)
	if err != nil {
		return nil //nolint:nilerr // the verdict stands without the place
	}
	for _, t := range sample {
		if t.File != "" {
			o.r.showAt(o.userCode, threadPlace(t), 0)
			return nil
		}
	}
	return nil
}
