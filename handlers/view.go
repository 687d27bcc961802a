package handlers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Lines of source on each side of the current one, and frames of a deep stack
// shown when only the place in its top frame has changed.
const (
	snapshotContext = 3
	stepFrames      = 3
)

// view answers with the stop view of the call's session: all that is looked at
// next, wherever the program stands.
func (h *Handlers) view(ctx context.Context, c *Call, a stopDetail) (*responses.Envelope, error) {
	env, _, err := h.stopReply(ctx, c, a)
	return env, err
}

// stopReply is view for who adds to the data, which is in the envelope.
func (h *Handlers) stopReply(ctx context.Context, c *Call, a stopDetail) (env *responses.Envelope, data *responses.StopView, err error) {
	v, err := c.Session.ViewWithoutOutput(ctx)
	if err != nil {
		return nil, nil, err
	}
	c.shownEpoch = v.Epoch
	v.Listening = c.Session.Listening()
	if !a.quiet {
		v.Output = h.unread(c)
	}
	if v.State.Status == session.Starting {
		v.Breakpoints = nil // that none is bound yet is no news
	}
	w := h.show(c.Session)
	data = w.view(v)
	sent, warnings := triggerOutcomes(c)
	data.Trigger, data.Warnings = sent, append(data.Warnings, warnings...)
	return &responses.Envelope{
		Success:   !v.NoTestRan,
		Error:     noTestRan(v),
		Summary:   w.summary(v, a),
		SessionID: c.Session.ID(),
		Data:      data,
		NextSteps: w.nextSteps(v),
		Notes:     c.notes(func() []string { return w.viewNotes(v) }),
	}, data, nil
}

// noTestRan is the failure of a run of tests in which there was none to run.
func noTestRan(v *session.View) *responses.Problem {
	if !v.NoTestRan {
		return nil
	}
	f := fault.New(fault.InvalidTarget, "no test ran")
	if len(v.NearTests) > 0 {
		return responses.Failure(f.WithHint("did you mean %s?", strings.Join(v.NearTests, " or "))).Error
	}
	return responses.Failure(f.WithHint("the output says why; name a test that exists, or give none to run them all")).Error
}

// stopDetail is what is known of a stop beyond where it is.
type stopDetail struct {
	reached bool   // it is where the program was run to
	note    string // joins the summary
	line    int    // it was moved to, or to a line near it
	quiet   bool   // the output is left to a later reply
}

func (w show) view(v *session.View) *responses.StopView {
	rest := w.call("inspect", "target", "all", "max_bytes", maxBudget)
	out := &responses.StopView{
		State:       w.state(v.State),
		Exception:   w.exception(v.Exception),
		Output:      w.output(v.Output),
		Breakpoints: w.breakpoints(v.Breakpoints, "breakpoints that need attention"),
		NeverHit:    w.breakpoints(v.NeverHit, "breakpoints never hit"),
		Hits:        hitCounts(v.WereHit),
		Mappings:    w.mappings(v.Mappings),
		Warnings:    v.Warnings,
		ServerReady: v.ServerReady,
		Listening:   v.Listening,
		Rest:        &rest,
	}
	if v.Unread.What != "" {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the %s could not be read: %s", v.Unread.What, v.Unread.Why))
	}
	if !v.State.Status.Stopped() {
		return out
	}
	if v.Frame != nil {
		out.Location, out.Function = w.at(v.Frame.File, v.Frame.Line), v.Frame.Function
		out.Snapshot = w.snapshot(v.Frame, snapshotContext)
	}
	out.Stack = w.stack(v.Stack, v.StackTotal, 0)
	if len(v.Shown) > 0 {
		out.Shown = responses.NewVariables(w.variables(v.Shown), responses.Page{What: "shown expressions"})
	}
	w.values(v, out)
	return out
}

// mappings are those of paths, the local side as paths are shown.
func (w show) mappings(list []session.Mapping) []responses.Mapping {
	var rows []responses.Mapping
	for _, m := range list {
		rows = append(rows, responses.Mapping{Local: cmp.Or(w.s.Rel(m.Local), "."), Remote: m.Remote, Evidence: m.Evidence})
	}
	return rows
}

// hitCounts is how often each breakpoint was hit, by its id.
func hitCounts(list []session.Breakpoint) responses.Object {
	var counts responses.Object
	for _, b := range list {
		counts = append(counts, responses.Member{Name: strconv.Itoa(b.ID), Value: b.Hits})
	}
	return counts
}

// values fills in what the variables are, or after a step in the same frame
// only what has changed.
func (w show) values(v *session.View, out *responses.StopView) {
	if len(v.Returned) > 0 {
		out.Returned = responses.NewVariables(w.variables(v.Returned), responses.Page{What: "returned values"})
	}
	frame := 0
	if v.Frame != nil {
		frame = v.Frame.Index
	}
	out.Locals = w.locals(v.Locals, 0, v.LocalsTotal, frame)
	if !v.SameFrame {
		return
	}
	for _, c := range v.Changed {
		if c.Old != "" {
			typ := typeOf(c.Name, v.Locals)
			typed := func(value string) session.Variable { return session.Variable{Value: value, Type: typ} }
			out.Changed = append(out.Changed, responses.Change{Name: c.Name, Old: typed(c.Old).Untyped(), New: typed(c.New).Untyped()})
		}
	}
	if v.State.Status == session.StoppedStep {
		out.Locals = w.locals(newLocals(v), 0, 0, frame)
		if len(v.Stack) > 2*stepFrames && slices.ContainsFunc(v.Stack[stepFrames:], func(f session.Frame) bool { return !f.Internal }) {
			out.Stack = w.stack(v.Stack[:stepFrames], v.StackTotal, 0)
		}
	}
}

func typeOf(name string, locals []session.Variable) string {
	for _, v := range locals {
		if v.Name == name {
			return v.Type
		}
	}
	return ""
}

// newLocals are the locals that came into scope since the last stop in the frame.
func newLocals(v *session.View) []session.Variable {
	var list []session.Variable
	for _, local := range v.Locals {
		if slices.ContainsFunc(v.Changed, func(c session.Change) bool { return c.Old == "" && c.Name == local.Name }) {
			list = append(list, local)
		}
	}
	return list
}

// nextSteps suggests what is worth doing where that is not plain from the view.
func (w show) nextSteps(v *session.View) []responses.NextStep {
	if what := v.Unread.What; what != "" {
		return []responses.NextStep{w.call("inspect", "target", what).Why("try to read the " + what + " again")}
	}
	switch v.State.Status {
	case session.Starting:
		return []responses.NextStep{
			w.call("execute", "action", "wait").Why("wait for the start to finish"),
			w.call("session", "action", "stop").Why("give up"),
		}
	case session.Running:
		if v.AwaitsInput {
			return []responses.NextStep{
				w.call("session", "action", "input", "text", "\n").Why("give it what it waits for (eof: true ends its input)"),
				w.call("execute", "action", "pause").Why("see where it reads"),
			}
		}
		if w.s.Observes() {
			if w.s.ArmingCost() == "" {
				return []responses.NextStep{
					w.call("profile").Why("where its time goes; what memory: what grows"),
					w.call("inspect", "target", "waits").Why("what it waits for"),
				}
			}
			return []responses.NextStep{
				w.call("trace", "action", "arm", "what", "calls", "functions", []string{"NAME"}).Why("record calls while it runs; values at a line: what values, location, expressions"),
			}
		}
		why := "wait for the next stop"
		if len(v.Listening) > 0 {
			if why = "send it a request in the background, then wait for the stop"; w.s.TakesTriggers() {
				why = "send it a request as the trigger, and wait for the stop"
			}
		}
		return []responses.NextStep{
			w.call("execute", "action", "wait").Why(why),
			w.call("execute", "action", "pause").Why("see where it is now"),
		}
	case session.StoppedException:
		if isDeadlock(v.Exception) {
			return []responses.NextStep{w.call("inspect", "target", "threads").Why("who waits for what")}
		}
	case session.Paused:
		if v.State.Reason == jumped {
			break
		}
		return []responses.NextStep{w.call("inspect", "target", "threads").Why("what all threads do, grouped by stack")}
	}
	return w.bindSteps(append(v.Breakpoints, v.NeverHit...))
}

// isDeadlock says whether an exception means that everybody waits.
func isDeadlock(e *session.Exception) bool {
	return e != nil && strings.Contains(e.Message, "deadlock")
}

// bindSteps suggests a place for the first breakpoint that is not bound.
func (w show) bindSteps(list []session.Breakpoint) []responses.NextStep {
	for _, b := range list {
		switch {
		case b.Verified || !b.Enabled:
			continue
		case len(b.Nearest) > 0:
			return []responses.NextStep{w.rebindCall(b, w.at(b.File, b.Nearest[0])).Why("the nearest line that can hold the breakpoint")}
		case len(b.Similar) > 0:
			return []responses.NextStep{w.rebindCall(b, b.Similar[0]).Why("a function with a like name")}
		}
	}
	return nil
}

// rebindCall is the call that sets a breakpoint like b elsewhere.
func (w show) rebindCall(b session.Breakpoint, location string) responses.Call {
	return w.call("breakpoint", "action", "set", "location", location).
		With("condition", b.Condition.String()).With("hit_condition", b.HitCondition).With("log_message", b.LogMessage)
}

// joinRemarks puts two remarks into one sentence.
func joinRemarks(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}

// mayStop says whether the program may still come to a stop by itself.
func mayStop(s session.Status) bool { return s == session.Running || s == session.Starting }
