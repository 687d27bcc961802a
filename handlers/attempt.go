package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/attempt"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// attempt tries remedies, remembers them, and writes one that has passed. That the
// policy allows it is judged when the problem is known: listing changes nothing.
func (h *Handlers) attempt() Tool[*tools.AttemptParams] {
	return Tool[*tools.AttemptParams]{
		Definition: tools.Attempt(),
		Action:     func(p *tools.AttemptParams) string { return p.Action },
		Actions: Actions[*tools.AttemptParams]{
			"try":     {Rule: ownRun, Handle: orPart(h, h.trialPart, h.withProblem(h.tryCandidates))},
			"propose": {Rule: ownRun, Handle: h.withProblem(h.proposeCandidates)},
			"list":    {Rule: ownRun, Handle: h.withProblem(h.listAttempts)},
			"apply":   {Rule: ownRun, Handle: h.withProblem(h.applyAttempt)},
			"forget":  {Rule: ownRun, Handle: h.withProblem(h.forgetAttempts)},
		},
	}
}

// withProblem is the handler of an action on the problem that a call is about.
func (h *Handlers) withProblem(
	act func(context.Context, *Call, *tools.AttemptParams, attempt.Problem) (*responses.Envelope, error),
) func(context.Context, *Call, *tools.AttemptParams) (*responses.Envelope, error) {
	return func(ctx context.Context, c *Call, p *tools.AttemptParams) (*responses.Envelope, error) {
		c.What = "attempt " + p.Action
		problem, err := h.problem(ctx, c, p)
		if err != nil {
			return nil, err
		}
		return act(ctx, c, p, problem)
	}
}

func (h *Handlers) tryCandidates(ctx context.Context, c *Call, p *tools.AttemptParams, problem attempt.Problem) (*responses.Envelope, error) {
	q := attemptQuestion(c, p, problem)
	q.Helpers = h.helpers(ctx, c, problem, p.Parallel, q.Limit)
	r, err := h.attempts.Try(ctx, q)
	return attemptReply(problem, r, err)
}

func (h *Handlers) proposeCandidates(ctx context.Context, c *Call, p *tools.AttemptParams, problem attempt.Problem) (*responses.Envelope, error) {
	r, err := h.attempts.Propose(ctx, attemptQuestion(c, p, problem))
	return attemptReply(problem, r, err)
}

func attemptQuestion(c *Call, p *tools.AttemptParams, problem attempt.Problem) attempt.Question {
	return attempt.Question{
		Problem: problem, Candidates: candidates(p.Candidates), Parallel: p.Parallel, Limit: p.Timeout(),
		Client: c.Client, Rounds: p.Rounds, Tokens: p.Tokens, Progress: c.tell,
	}
}

func (h *Handlers) listAttempts(ctx context.Context, _ *Call, _ *tools.AttemptParams, problem attempt.Problem) (*responses.Envelope, error) {
	r, err := h.attempts.List(ctx, problem)
	return attemptReply(problem, r, err)
}

func (h *Handlers) applyAttempt(ctx context.Context, _ *Call, p *tools.AttemptParams, problem attempt.Problem) (*responses.Envelope, error) {
	w, err := h.attempts.Apply(ctx, problem, p.N, p.Undo)
	return applyReply(problem, w, err)
}

func (h *Handlers) forgetAttempts(ctx context.Context, _ *Call, _ *tools.AttemptParams, problem attempt.Problem) (*responses.Envelope, error) {
	n, err := h.attempts.Forget(ctx, problem)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: responses.Plural(n, "attempt") + " forgotten"}, nil
}

// problem is what the call is about: its check, else the start of its session, else, where
// something was tried before, what was worked on last in the workspace.
func (h *Handlers) problem(ctx context.Context, c *Call, p *tools.AttemptParams) (attempt.Problem, error) {
	remembered := p.Action == "list" || p.Action == "apply"
	problem := attempt.Problem{Workspace: h.Workspace, Start: p.Check}
	if len(p.Check) == 0 && c.Session != nil {
		r := c.Session.StartRequest()
		problem.Start = startOf(r, cmp.Or(r.Program.Workspace, h.Workspace) != h.Workspace)
	}
	if len(p.Check) == 0 && remembered && (c.Session == nil || h.triedFor(ctx, c.Session) == nil) {
		latest, err := h.latest(ctx, p)
		if err != nil || latest != nil {
			return *cmp.Or(latest, &problem), err
		}
	}
	if len(problem.Start) == 0 {
		return problem, fault.New(fault.MissingParam, "nothing says what must pass").WithField("check").
			WithHint(`give check as session_start would have it, for example {"test":"TestTotal"}, or session_id of a session whose start is to be made again`)
	}
	return h.startable(p, problem)
}

// latest is what was worked on last in the workspace; nil: nothing that is remembered.
func (h *Handlers) latest(ctx context.Context, p *tools.AttemptParams) (*attempt.Problem, error) {
	if p.Action != "list" {
		if err := h.Policy.Change("trying changes of the code", "action"); err != nil {
			return nil, err
		}
	}
	return h.attempts.Latest(ctx, h.Workspace)
}

// startable reads the check of a problem, which must be a start of its own, and names it.
func (h *Handlers) startable(p *tools.AttemptParams, problem attempt.Problem) (attempt.Problem, error) {
	full, err := tools.StartParams(&tools.Start{More: problem.Start})
	if err != nil {
		return problem, ofCheck(err)
	}
	if full.WorkspaceRoot != "" {
		problem.Workspace = h.starts().root(full.WorkspaceRoot)
	}
	if full.PID != 0 || full.Port != 0 || full.CoreFile != "" || slices.Contains([]string{"attach", "remote_attach", "core"}, full.Mode) {
		return problem, fault.New(fault.InvalidParam, "a check is a run of its own: no change of the code shows in a program that runs already, or in a core file").WithField("check").
			WithHint("give target or test, as session_start has them where it starts the program itself")
	}
	if p.Action != "list" { // which only looks
		if err := h.Policy.Change("trying changes of the code", "action"); err != nil {
			return problem, err
		}
		if _, err := h.Sessions.Prospect(h.starts().request(full)); err != nil {
			return problem, ofCheck(err)
		}
	}
	problem.ID = h.problemOf(h.starts().request(full)).ID
	return problem, nil
}

// ofCheck names the field of a check that an error is about.
func ofCheck(err error) error {
	return fault.Changed(err, func(f *fault.Error) { f.Field = strings.TrimSuffix("check."+f.Field, ".") })
}

// problemOf is a start as a problem, however it was asked for.
func (h *Handlers) problemOf(r session.StartRequest) attempt.Problem {
	workspace := cmp.Or(r.Program.Workspace, h.Workspace)
	return attempt.Problem{ID: attempt.ProblemID(workspace, canonical(startOf(r, false))), Workspace: workspace}
}

// startOf is a start as session_start's arguments say it, with its workspace or without.
func startOf(r session.StartRequest, rooted bool) json.RawMessage {
	p := r.Program
	p.StdinOpen, p.StopOnEntry = false, false // no check waits for anybody
	if !rooted {
		p.Workspace = ""
	}
	text, err := json.Marshal(p)
	if err != nil { // adapter_options that are no JSON were refused before
		return nil
	}
	return text
}

// canonical is JSON in one form, whatever the order of its members was.
func canonical(text json.RawMessage) string {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return string(text)
	}
	out, err := json.Marshal(v)
	if err != nil {
		return string(text)
	}
	return string(out)
}

// candidates are those of a call as the engine has them.
func candidates(given []tools.Candidate) []attempt.Candidate {
	var list []attempt.Candidate
	for _, c := range given {
		cand := attempt.Candidate{Hypothesis: c.Hypothesis, Patch: c.Patch, At: (*attempt.At)(c.At)}
		for _, e := range c.Edits {
			cand.Edits = append(cand.Edits, attempt.Edit(e))
		}
		list = append(list, cand)
	}
	return list
}
