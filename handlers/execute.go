package handlers

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// execute resumes, restarts, pauses or waits for the program and answers at its
// next stop.
func (h *Handlers) execute() Tool[*tools.ExecuteParams] {
	return Tool[*tools.ExecuteParams]{
		Definition: tools.Execute(),
		Action:     func(p *tools.ExecuteParams) string { return p.Action },
		Actions: Actions[*tools.ExecuteParams]{
			"continue": {Drives: true, Rule: atStop, Vary: withTrigger, Handle: h.resume},
			"run":      {Drives: true, Rule: rule{session: required}, Effect: startsProgram, Vary: withTrigger, Handle: h.rerun}, // in whatever state the last run is
			"pause":    {Drives: true, Rule: rule{session: required, state: alive, passes: true}, Vary: takesNoTrigger, Handle: h.pause},
			"wait":     {Rule: unlocked, Vary: withTrigger, Handle: h.awaitStop},
			"jump":     {Drives: true, Rule: atStop, Effect: "moving the point of execution", Vary: takesNoTrigger, Handle: h.jump},
		},
	}
}

func (h *Handlers) resume(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	if p.Until != "" {
		waitIfAsked(p)
		return h.reach(ctx, c, []string{p.Until}, "", p.Trigger, p.Wait)
	}
	if p.Trigger != nil {
		return h.provoke(ctx, c, p)
	}
	if err := c.Session.Continue(ctx, p.ThreadID); err != nil {
		return nil, err
	}
	return h.awaitStop(ctx, c, p)
}

func (h *Handlers) rerun(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	if p.Trigger != nil {
		return h.provoke(ctx, c, p)
	}
	if err := c.Session.Restart(ctx, true); err != nil {
		return nil, err
	}
	return h.awaitStop(ctx, c, p)
}

// awaitStop waits for the next stop, if the call is to wait for it.
func (h *Handlers) awaitStop(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	if p.Trigger != nil && p.Action == "wait" {
		return h.provoke(ctx, c, p)
	}
	waitIfAsked(p)
	if _, err := c.Session.WaitOrListen(ctx, p.Timeout()); err != nil {
		return nil, err
	}
	return h.view(ctx, c, stopDetail{quiet: !p.CollectOutput})
}

// waitIfAsked takes the time to wait from a call that is not to wait for a stop.
func waitIfAsked(p *tools.ExecuteParams) {
	if !p.WaitForStop {
		p.TimeoutMS = 0
	}
}

// pause stops the program where it is. Where that keeps it waiting, it says what for.
func (h *Handlers) pause(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	if err := c.Session.Pause(ctx, p.ThreadID); err != nil {
		return nil, err
	}
	waitIfAsked(p)
	stuck, limit := c.Session.ShowsRunning(), p.Timeout()
	if stuck {
		limit = min(limit, pausePatience)
	}
	st, err := c.Session.Wait(ctx, limit)
	if err != nil {
		return nil, err
	}
	a := stopDetail{quiet: !p.CollectOutput}
	if stuck = stuck && st.Status == session.Running && limit > 0; stuck {
		a.note = "it pauses as soon as one of its threads comes back from the call that it is in" + h.standing(ctx, c)
	}
	env, err := h.view(ctx, c, a)
	if err == nil && stuck {
		threads := h.show(c.Session).call("inspect", "target", "threads").Why("where each thread is, and what it waits for")
		env.NextSteps = before(threads, env.NextSteps)
	}
	return env, err
}

// standing says where the threads of a program are that runs: the first of them.
func (h *Handlers) standing(ctx context.Context, c *Call) string {
	all, err := c.Session.Threads(ctx, "", threadFrames)
	if err != nil || len(all.Groups) == 0 {
		return "" // inspect(threads) says why
	}
	w, most := h.show(c.Session), min(len(all.Groups), standingThreads)
	var list []string
	for _, g := range all.Groups[:most] {
		said := fmt.Sprintf("thread %d", g.IDs[0])
		if len(g.Frames) > 0 {
			said += fmt.Sprintf(" at %s in %s", w.at(g.Frames[0].File, g.Frames[0].Line), g.Frames[0].Function)
		}
		if g.Waiting != "" {
			said += " waits for " + g.Waiting
		}
		list = append(list, said)
	}
	if more := len(all.Groups) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return ": " + strings.Join(list, "; ")
}

// standingThreads are told in a sentence.
const standingThreads = 3

// before puts a step in front of the first that a view suggests; where it suggests
// none, the program has come to a stop meanwhile.
func before(step responses.NextStep, suggested []responses.NextStep) []responses.NextStep {
	if len(suggested) == 0 {
		return nil
	}
	return []responses.NextStep{step, suggested[0]}
}

// pausePatience bounds the wait for a pause where the adapter can tell what
// keeps the program from it.
const pausePatience = 3 * time.Second

// jump goes on at another line.
func (h *Handlers) jump(ctx context.Context, c *Call, p *tools.ExecuteParams) (*responses.Envelope, error) {
	if p.JumpTarget == "" {
		return nil, missingParam("jump_target", "execute(jump) needs jump_target, the line to go on from",
			`for example {"action":"jump","jump_target":"calc.go:12"}`)
	}
	c.What = "jump to " + p.JumpTarget
	if err := c.Session.Jump(ctx, p.JumpTarget, p.ThreadID); err != nil {
		return nil, err
	}
	waitIfAsked(p)
	if _, err := c.Session.WaitOrListen(ctx, p.Timeout()); err != nil {
		return nil, err
	}
	a := stopDetail{quiet: !p.CollectOutput}
	if target, err := c.Session.ResolveLocation(p.JumpTarget); err == nil {
		a.line = target.Line
	}
	return h.view(ctx, c, a)
}
