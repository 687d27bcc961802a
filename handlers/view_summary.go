package handlers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/internal/text/exprsyntax"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// jumped is the stop reason of a program whose point of execution was moved.
const jumped = "goto"

// longestReason bounds an exception's message in a summary, in bytes.
const longestReason = 160

// summary says in one sentence where the program stands.
func (w show) summary(v *session.View, a stopDetail) string {
	said := w.outcome(v)
	if a.reached && v.State.Status.Stopped() {
		said = "reached " + w.in(v.Frame)
		if len(v.State.Hit) > 0 {
			said += ", where " + hits(v.State) + " is"
		}
	}
	if v.State.Reason == jumped && v.Frame != nil && a.line != 0 && a.line != v.Frame.Line {
		said += fmt.Sprintf("; line %d holds no code of %s", a.line, v.Frame.Function)
	}
	said = joinRemarks(said, a.note)
	if !strings.Contains(a.note, v.State.Note) && !v.State.Failed {
		said = joinRemarks(said, v.State.Note)
	}
	for _, b := range v.Breakpoints {
		if !b.Verified && b.Enabled && v.State.Status != session.Terminated {
			said += fmt.Sprintf("; %s is not bound", w.name(b))
			break
		}
	}
	return said
}

func (w show) outcome(v *session.View) string {
	st := v.State
	switch st.Status {
	case session.Starting:
		return fmt.Sprintf("still %s after %s", cmp.Or(st.Doing, "starting"), brief.Duration(st.Running))
	case session.Running:
		said := "running"
		if st.Running >= 50*time.Millisecond {
			said = fmt.Sprintf("still running after %s", brief.Duration(st.Running))
		}
		if v.AwaitsInput {
			said += "; it waits for input on stdin"
		}
		if len(v.Listening) > 0 {
			said += "; it listens at " + strings.Join(v.Listening, ", ")
		}
		return said
	case session.Terminated:
		return w.endingText(v)
	case session.StoppedBreakpoint:
		return fmt.Sprintf("stopped at %s, %s", hits(st), w.in(v.Frame))
	case session.StoppedStep:
		return "stepped to " + w.in(v.Frame)
	case session.StoppedEntry:
		return "stopped at the entry, " + w.in(v.Frame)
	case session.StoppedException:
		return fmt.Sprintf("%s, at %s", reason(v.Exception), w.in(v.Frame))
	}
	if st.Reason == jumped {
		return "moved to " + w.in(v.Frame) + ", nothing was run"
	}
	return "paused at " + w.in(v.Frame)
}

// hits is "breakpoint 1", "breakpoints 1 and 3" or "watchpoint 2".
func hits(st session.State) string {
	noun := "breakpoint"
	if st.Reason == "data breakpoint" {
		noun = "watchpoint"
	}
	if len(st.Hit) == 0 {
		return "a " + noun
	}
	return responses.Numbered(noun, st.Hit)
}

// reason is "panic: index out of range [5] with length 3", without saying the type twice.
func reason(e *session.Exception) string {
	if e == nil {
		return "stopped at an exception"
	}
	text, typ := firstLine(e.Message), responses.Shorten(e.Type, longestReason)
	switch {
	case text == "" && typ == "":
		return "stopped at an exception"
	case text == "":
		return responses.TheirsName(typ)
	case typ != "" && !strings.HasPrefix(e.Message, e.Type):
		room := max(longestReason/4, longestReason-len(typ)-len(": "))
		return responses.TheirsName(typ) + ": " + responses.Theirs(responses.Shorten(text, room))
	}
	return responses.Theirs(text)
}

// endingText says how the program ended and which breakpoints it never came to.
func (w show) endingText(v *session.View) string {
	said := "the program has ended"
	switch st := v.State; {
	case st.Failed:
		return st.Note
	case st.Signal != "":
		said = "ended by signal " + st.Signal
	case st.ExitCode != nil:
		said = fmt.Sprintf("exited with code %d", *st.ExitCode)
	}
	if v.NoTestRan {
		said = "no test ran: " + said
	}
	if v.TestFailed != "" {
		said += ": " + responses.Theirs(responses.Shorten(v.TestFailed, longestReason))
	}
	return said + w.missedText(v.NeverHit)
}

// missedText says of breakpoints that were not hit what is known of that.
func (w show) missedText(list []session.Breakpoint) string {
	switch {
	case len(list) == 0:
		return ""
	case len(list) == 1:
		return fmt.Sprintf("; %s %s", w.name(list[0]), missedReason(list[0]))
	case slices.ContainsFunc(list, hasCondition):
		return fmt.Sprintf("; %d breakpoints never stopped it", len(list))
	}
	return fmt.Sprintf("; %d breakpoints were never hit", len(list))
}

// hasCondition says that a breakpoint without hits may have been reached all the same.
func hasCondition(b session.Breakpoint) bool {
	return b.Reached > 0 || (!b.Supplied || b.Judged) && (b.Condition.Text != "" || b.HitCondition != "")
}

func missedReason(b session.Breakpoint) string {
	switch {
	case !b.Verified:
		return "was never bound"
	case b.Reached > 0 && exprsyntax.LoopInLine(b.Text):
		return fmt.Sprintf("was reached %s, and its condition did not hold then; a whole loop stands in its line, which may stop only once, before the first round", times(b.Reached))
	case b.Reached > 0:
		return fmt.Sprintf("was reached %s, and its condition never held", times(b.Reached))
	case hasCondition(b) && exprsyntax.LoopInLine(b.Text):
		return "never stopped it: a whole loop stands in its line, and a condition may be looked at only once, before the first round"
	case hasCondition(b): // the adapter checks it, and tells only of what it stops at
		return "never stopped it: it was not reached, or its condition never held"
	}
	if b.Passable {
		return "was never hit, which does not tell that the loop in its line was not run: it may be led into at its condition, past the breakpoint; one in its body is hit in each round"
	}
	return "was never hit"
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// name is "breakpoint 2 (calc.go:40)".
func (w show) name(b session.Breakpoint) string {
	return fmt.Sprintf("%s %d (%s)", noun(b), b.ID, w.place(b))
}

func noun(b session.Breakpoint) string {
	if b.Kind == session.WatchBreakpoint {
		return "watchpoint"
	}
	return "breakpoint"
}

// place is what a breakpoint is on: a watched expression, a function, a line.
func (w show) place(b session.Breakpoint) string {
	switch {
	case b.Kind == session.WatchBreakpoint:
		return b.Expression
	case b.Kind == session.FunctionBreakpoint && b.Function != "":
		return b.Function
	}
	return w.at(b.File, b.Line)
}
