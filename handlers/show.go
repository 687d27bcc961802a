package handlers

import (
	"fmt"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// show turns what a session holds into what a reply shows.
type show struct {
	s    *session.Session
	call func(tool string, params ...any) responses.Call // a call that speaks of this session

	stacks bool // rows of a running program have their callers
}

// show makes the translator of a session. Calls in its replies name the session
// only when it is not the current one.
func (h *Handlers) show(s *session.Session) show { return showOf(h.Sessions, s) }

func showOf(sessions *session.Manager, s *session.Session) show {
	return show{s: s, call: func(tool string, params ...any) responses.Call {
		call := responses.NewCall(tool, params...)
		if sessions.Current() != s {
			call = call.With("session_id", s.ID())
		}
		return call
	}}
}

// at is "calc.go:7", relative to the workspace when inside it.
func (w show) at(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return w.s.Rel(file)
	}
	return fmt.Sprintf("%s:%d", w.s.Rel(file), line)
}

// in is "calc.go:7 in main.add".
func (w show) in(f *session.Frame) string {
	if f == nil {
		if w.s.HidesLibraries() {
			return "a place in library code alone, whose frames just_my_code hides"
		}
		return "an unknown place"
	}
	at, function := responses.Theirs(w.at(f.File, f.Line)), responses.Theirs(f.Function)
	switch {
	case at == "":
		return function
	case function == "":
		return at
	}
	return at + " in " + function
}

func (w show) state(st session.State) responses.ExecutionState {
	out := responses.ExecutionState{
		Status:         string(st.Status),
		StopReason:     st.Reason,
		HitBreakpoints: st.Hit,
		ExitCode:       st.ExitCode,
		Signal:         st.Signal,
	}
	if st.ThreadID > 0 {
		out.ThreadID = responses.ID(st.ThreadID)
	}
	switch st.Status {
	case session.Terminated:
		out.StopReason = ""
		return out
	case session.Starting:
		out.Doing = st.Doing
		out.RunningMS = st.Running.Milliseconds()
	case session.Running:
		out.RunningMS = st.Running.Milliseconds()
	}
	out.BreakpointsActive = &st.BreakpointsActive
	return out
}

func (w show) frames(frames []session.Frame) []responses.Frame {
	out := make([]responses.Frame, len(frames))
	for i, f := range frames {
		out[i] = responses.Frame{Function: f.Function, Location: w.at(f.File, f.Line), Library: f.Internal}
	}
	return out
}

// stack shows the nearest frames of a thread (0 the current one); a total of 0
// says that there are more than anybody has counted.
func (w show) stack(frames []session.Frame, total, thread int) *responses.Stack {
	if len(frames) == 0 {
		return nil
	}
	return &responses.Stack{
		Frames: w.frames(frames),
		Page: responses.Page{What: "stack frames", Total: max(total, len(frames)), Open: total == 0, More: func(start int) responses.Call {
			return w.call("inspect", "target", "stack", "start", start).With("thread_id", thread)
		}},
	}
}

func (w show) exception(e *session.Exception) *responses.Exception {
	if e == nil {
		return nil
	}
	return &responses.Exception{Type: e.Type, Message: e.Message, Stack: e.Stack, Inner: w.exception(e.Inner)}
}

// snapshot shows the source round a frame, nil when there is none to read.
func (w show) snapshot(f *session.Frame, context int) *responses.Snapshot {
	if f == nil || f.File == "" || f.Line <= 0 {
		return nil
	}
	from := max(1, f.Line-context)
	lines, err := w.s.SourceLines(f.File, from, f.Line+context)
	if err != nil || len(lines) == 0 {
		return nil
	}
	return &responses.Snapshot{First: from, Current: f.Line, Column: f.Column, Lines: lines}
}

func (w show) breakpoint(b session.Breakpoint) responses.Breakpoint {
	out := responses.Breakpoint{
		ID: b.ID, Kind: string(b.Kind), Location: w.at(b.Path(), b.Line), Function: b.Function,
		Expression: b.Expression, Access: b.Access,
		Verified: b.Verified, Disabled: !b.Enabled, Message: b.Message,
		Nearest: b.Nearest, Similar: b.Similar, MovedFrom: b.MovedFrom, MovedWhy: b.MovedWhy, Text: b.Text,
		Condition: b.Condition.String(), HitCondition: b.HitCondition, LogMessage: b.LogMessage, Hits: b.Hits, Reached: beyondHits(b),
	}
	for _, e := range b.Show {
		out.Show = append(out.Show, e.String())
	}
	return out
}

// beyondHits is how often a breakpoint was reached, 0 where that is its hits.
func beyondHits(b session.Breakpoint) int {
	if b.Reached <= b.Hits {
		return 0
	}
	return b.Reached
}

// breakpoints shows a list; nil when it is empty.
func (w show) breakpoints(list []session.Breakpoint, what string) *responses.List[responses.Breakpoint] {
	if len(list) == 0 {
		return nil
	}
	rows := make([]responses.Breakpoint, len(list))
	for i, b := range list {
		rows[i] = w.breakpoint(b)
	}
	return responses.NewList(rows, responses.Page{What: what, More: func(int) responses.Call {
		return w.call("breakpoint", "action", "list", "max_bytes", maxBudget)
	}})
}

// maxBudget is the largest reply that a caller may ask for, in bytes.
const maxBudget = 40000
