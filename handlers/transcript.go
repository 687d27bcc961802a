package handlers

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/output"
)

// transcriptBytes is about how long a transcript becomes at most: a person reads it.
const transcriptBytes = 20_000

// transcriptLines are the last lines of each stream in it, transcriptLine the bytes
// that are shown of each, transcriptStream those of all of them.
const (
	transcriptLines  = 30
	transcriptLine   = 300
	transcriptStream = 2500
)

// inTranscript is how much of the trail a transcript shows beside the steps.
var inTranscript = detail{values: 12, trail: 6, frames: 10, locals: 20, code: true}

// Transcript tells in Markdown what was asked of a session and found. It is for
// people to pass on, so secrets are masked wherever they stand in it.
func (r *Registry) Transcript(ctx context.Context, id string) (string, error) {
	h := r.handlers
	s, err := h.Sessions.Get(id)
	if err != nil {
		return "", err
	}
	history := s.History()
	t := &historyRenderer{show: h.show(s), state: s.State(), detail: inTranscript}
	where, err := t.render(ctx)
	if err != nil { // it went on, or its adapter does not answer; the rest is known
		t.state = s.State()
		t.said, where = t.statusText(t.state), nil
	}
	out := &responses.Transcript{
		Session: s.ID(), Started: s.StartedAt(), Standing: t.said, Where: where,
		Program: cmp.Or(s.Target(), "a program"), Kind: kind(s), Made: fmt.Sprintf("aidb-mcp %s on %s/%s", cmp.Or(h.Settings.version(), "of unknown version"), runtime.GOOS, runtime.GOARCH),
	}
	for _, op := range history {
		out.Steps = append(out.Steps, responses.TranscriptStep{
			N: op.N, At: op.At, Tool: op.Tool, Args: op.Args, Outcome: outcome(op), Failed: !op.OK, Took: op.Duration, Found: resultLines(op),
		})
	}
	if len(history) > 0 {
		out.Earlier = history[0].N - 1
	}
	out.Printed = t.tails()
	return h.Mask.Text(out.Markdown(transcriptBytes)), nil
}

// kind is the language of a session, and how its program came to be debugged.
func kind(s *session.Session) string {
	if mode := string(s.Mode()); mode != "" {
		return s.Language() + ", " + mode
	}
	return s.Language()
}

// outcome is what became of an operation: why it failed, beside the code.
func outcome(op session.Operation) string {
	if !op.OK && len(op.Found) > 0 {
		return op.Outcome + ": " + op.Found[0]
	}
	return op.Outcome
}

// resultLines is what an operation showed.
func resultLines(op session.Operation) []string {
	if !op.OK {
		return nil
	}
	return op.Found
}

// tails are the last lines of each stream.
func (w show) tails() []responses.TranscriptOutput {
	var all []responses.TranscriptOutput
	for _, name := range streams {
		page := w.s.ReadOutput(name, output.Page{Start: -transcriptLines, Count: transcriptLines})
		first, size := len(page.Lines), 0
		for i, line := range slices.Backward(page.Lines) {
			page.Lines[i] = responses.Shorten(strings.TrimRight(line, "\r"), transcriptLine)
			if size += len(page.Lines[i]) + 1; size > transcriptStream {
				break
			}
			first = i
		}
		all = append(all, responses.TranscriptOutput{Stream: name, Lines: page.Lines[first:], Total: page.Total})
	}
	return all
}
