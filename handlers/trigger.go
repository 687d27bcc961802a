package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/trigger"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// provokes is what a trigger changes of a call: the program may run already. What the
// policy says of it the session knows, for that depends on where it goes.
func provokes(given *tools.Trigger, r *request) error {
	if given == nil {
		return nil
	}
	r.drives = true
	if r.action != "run" {
		r.rule.state = alive
	}
	return given.Check()
}

func withTrigger(p *tools.ExecuteParams, r *request) error { return provokes(p.Trigger, r) }

// takesNoTrigger refuses a trigger where the program is not let go.
func takesNoTrigger(p *tools.ExecuteParams, _ *request) error {
	if p.Trigger == nil {
		return nil
	}
	return fault.New(fault.InvalidParam, "execute(%s) takes no trigger", p.Action).WithField("trigger").
		WithHint("continue, wait and run take one, and run_until and trace(arm)")
}

// armsForTrigger says that of trace's actions only arm takes a trigger.
func armsForTrigger(p *tools.TraceParams, _ *request) error {
	if p.Trigger == nil || p.Action == "arm" {
		return p.Trigger.Check()
	}
	return fault.New(fault.InvalidParam, "trace takes a trigger with action: arm alone").WithField("trigger").
		WithHint("trace(arm) records what a trigger does in a running program; execute and run_until take one too")
}

// newTrigger has the session look at a trigger before anything is done. It is the call's from
// then on; nil where none is given.
func newTrigger(ctx context.Context, c *Call, given *tools.Trigger) (*session.Trigger, error) {
	if given == nil {
		return nil, nil
	}
	r := trigger.Request{Command: given.Command, Stdin: given.Stdin}
	if h := given.HTTP; h != nil {
		r.HTTP = &trigger.HTTP{Method: h.Method, URL: h.URL, Headers: h.Headers, Body: (*string)(h.Body)}
	}
	t, err := c.Session.NewTrigger(ctx, r)
	if err != nil {
		return nil, err
	}
	c.trigger = t
	return t, nil
}

// provoke lets the program go on, sends a trigger, and answers at the stop that this leads to.
func (h *Handlers) provoke(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	waitIfAsked(p)
	t, err := newTrigger(ctx, c, p.Trigger)
	if err != nil {
		return nil, err
	}
	provoke, stands := c.Session.Provoke, c.Session.State().Status.Stopped()
	switch {
	case p.Action == "run":
		if err := c.Session.Restart(ctx, true); err != nil {
			return nil, err
		}
		provoke = c.Session.ProvokeAnew
	case stands && p.Action == "wait":
		return nil, fault.New(fault.NotRunning, "the program stands still: nothing would answer the trigger").WithField("action").
			WithHint("execute(continue) with the trigger lets it go on first")
	case stands:
		if err := c.Session.Continue(ctx, p.ThreadID); err != nil {
			return nil, err
		}
	}
	st, err := provoke(ctx, t, p.Timeout())
	if err != nil {
		return nil, err
	}
	return h.view(ctx, c, stopDetail{quiet: !p.CollectOutput, note: provokedText(t, st)})
}

// provokedText says of a program that runs on why the wait has ended; empty where it has not
// for the trigger's sake.
func provokedText(t *session.Trigger, st session.State) string {
	if t == nil || st.Status != session.Running {
		return ""
	}
	switch now := t.Outcome(); {
	case now.Pending:
		return "the trigger has no answer yet"
	case now.Unreached:
		return "the trigger failed"
	case now.Err != nil:
		return "the trigger failed, and the program did not stop"
	case now.Status == 0 && now.ExitCode == nil && now.Signal == "": // nothing answers a text
		return ""
	}
	return "the trigger has its answer, and the program did not stop"
}

// provokeRecorded sends a trigger to a program in which a recorder stands, and answers with
// what that has noted by the time of the answer.
func (h *Handlers) provokeRecorded(ctx context.Context, c *Call, p *tools.TraceParams, t *session.ArmedTrace, how string) (*responses.Envelope, error) {
	if err := c.Session.ProvokeRecorded(ctx, c.trigger, p.Timeout()); err != nil {
		return nil, err
	}
	_, found, state, err := c.Session.ReadArmed(t.ID, rows(p))
	if err != nil {
		return nil, err
	}
	env := h.recordedReply(c, t, found, state, "")
	env.Summary = fmt.Sprintf("armed %s: %s", t.ID, env.Summary)
	if data, is := env.Data.(*responses.Trace); is {
		data.How = how
	}
	env.NextSteps = append(env.NextSteps,
		responses.NewCall("trace", "action", "read", "id", t.ID).Why("what was recorded after this"),
		responses.NewCall("trace", "action", "disarm", "id", t.ID).Why("take it out"))
	return env, nil
}

// triggerOutcomes are what came of a call's trigger, or else of an earlier one that no reply
// has told of yet; further ones are warnings.
func triggerOutcomes(c *Call) (shown *responses.Trigger, warnings []string) {
	now, earlier := c.Session.TakeTriggers(c.trigger)
	if now == nil && len(earlier) > 0 {
		now, earlier = &earlier[0], earlier[1:]
	}
	if now != nil {
		shown = triggerOutcome(*now)
	}
	for _, o := range earlier {
		warnings = append(warnings, "of an earlier trigger: "+triggerOutcome(o).Line())
	}
	return shown, warnings
}

// addTriggers adds that to the data of a recorder.
func addTriggers(c *Call, data *responses.Trace) {
	sent, warnings := triggerOutcomes(c)
	data.Trigger, data.Notes = sent, append(data.Notes, warnings...)
}

func triggerOutcome(o session.TriggerOutcome) *responses.Trigger {
	out := &responses.Trigger{
		Sent: o.Sent, Pending: o.Pending, Status: o.Status, ExitCode: o.ExitCode, Signal: o.Signal, FirstBytes: o.FirstBytes, Cut: o.Cut,
		Unended: o.Unended, Redirect: o.Redirect, Stderr: o.Stderr, MS: o.Took.Milliseconds(),
	}
	if o.Err != nil {
		out.Error = o.Err.Error()
	}
	return out
}
