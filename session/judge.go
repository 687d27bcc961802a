package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/stopped"
)

// lazyFrames fetches the frames of a stopped thread when they are first needed,
// and more of them when a caller's is asked for.
type lazyFrames struct {
	connection *connection
	thread     int
	frames     []godap.StackFrame
	whole      bool
	err        error
}

// at is the DAP id of a frame, 0 being the top. Frames that only stand for
// runtime code count too, as the adapter lists them.
func (f *lazyFrames) at(ctx context.Context, n int) (int, error) {
	if n >= len(f.frames) && !f.whole && f.err == nil {
		f.frames, f.err = f.connection.frames(ctx, f.thread, n+1)
		f.whole = len(f.frames) <= n
	}
	switch {
	case f.err != nil:
		return 0, f.err
	case len(f.frames) == 0:
		return 0, errors.New("the thread has no frames")
	case n >= len(f.frames):
		return 0, fmt.Errorf("there is no frame %d: the stack has %d", n, len(f.frames))
	}
	return f.frames[n].Id, nil
}

// place is where the thread stands, empty when that has no source.
func (f *lazyFrames) place(ctx context.Context) (file string, line int) {
	if _, err := f.at(ctx, 0); err != nil || f.frames[0].Source == nil {
		return "", 0
	}
	return f.frames[0].Source.Path, f.frames[0].Line
}

// sendQuestion asks for one expression in the frame that it names.
func (j judgement) sendQuestion(ctx context.Context, frames *lazyFrames, e breakpoints.Expression) stopped.PendingValue {
	frame, err := frames.at(ctx, e.Frame)
	if err != nil {
		return stopped.Failed(err)
	}
	return stopped.Ask(ctx, frames.connection, j.run.plan().Capabilities.Values, j.run.plan().Dialect, frame, e.Text)
}

// answerQuestions evaluates the conditions that the breakpoints ask about.
func (j judgement) answerQuestions(ctx context.Context, frames *lazyFrames, questions []breakpoints.Question) map[int]breakpoints.Answer {
	under := make([]stopped.PendingValue, len(questions))
	for i, q := range questions {
		q.Condition.Text = j.run.plan().Dialect.Truth(q.Condition.Text)
		under[i] = j.sendQuestion(ctx, frames, q.Condition)
	}
	answers := make(map[int]breakpoints.Answer, len(questions))
	for i, q := range questions {
		answers[q.ID] = j.awaitAnswer(ctx, q, under[i])
	}
	return answers
}

func (j judgement) awaitAnswer(ctx context.Context, q breakpoints.Question, a stopped.PendingValue) breakpoints.Answer {
	body, err := a.Wait(ctx)
	if err != nil {
		return breakpoints.Answer{Failed: j.failureReason(err)}
	}
	truth, known := truthOf(body.Result)
	if !known && !q.Checked {
		return breakpoints.Answer{Failed: fmt.Sprintf("its value %s is neither true nor false", body.Result)}
	}
	if known && !truth && q.Checked { // as where the code that runs has other names than its source
		return breakpoints.Answer{Failed: "the debugger could not check it and stopped; asked again, it is false here"}
	}
	return breakpoints.Answer{True: truth}
}

// truthOf reads the value of a condition that the language has judged: a word
// for true, false or nothing, or a number.
func truthOf(value string) (truth, known bool) {
	value = strings.TrimSpace(value)
	switch strings.ToLower(value) {
	case "true":
		return true, true
	case "false", "nil", "null", "none", "undefined":
		return false, true
	}
	if n, err := strconv.ParseInt(value, 0, 64); err == nil {
		return n != 0, true
	}
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		return n != 0 && n == n, true
	}
	return false, false
}

// logText fills the {expressions} of a log message.
func (j judgement) logText(ctx context.Context, frames *lazyFrames, message string) string {
	parts := breakpoints.MessageParts(message)
	under := make([]stopped.PendingValue, len(parts))
	for i, part := range parts {
		if part.Expression.Text != "" {
			under[i] = j.sendQuestion(ctx, frames, part.Expression)
		}
	}
	var b strings.Builder
	for i, part := range parts {
		if part.Expression.Text == "" {
			b.WriteString(part.Text)
		} else if v, err := under[i].Wait(ctx); err != nil {
			fmt.Fprintf(&b, "{%s: %s}", part.Expression, j.failureReason(err))
		} else {
			b.WriteString(v.Result)
		}
	}
	return b.String()
}
