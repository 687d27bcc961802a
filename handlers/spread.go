package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/investigate/attempt"
	"aidb-mcp/investigate/attempt/trial"
	"aidb-mcp/investigate/spread"
	"aidb-mcp/responses"
)

// orPart is the handler of a tool whose calls may be parts of a call of a worker on another machine.
func orPart[In any](
	h *Handlers, part func(ctx context.Context, c *Call, original string, ask json.RawMessage) (any, error),
	whole func(context.Context, *Call, In) (*responses.Envelope, error),
) func(context.Context, *Call, In) (*responses.Envelope, error) {
	return func(ctx context.Context, c *Call, p In) (*responses.Envelope, error) {
		by, is := c.Client.(client.Partial)
		if !is || len(by.Question()) == 0 {
			return whole(ctx, c, p)
		}
		c.What = "a part of " + c.Tool + " on another machine"
		answer, err := spread.AnswerTo(ctx, by.Question(), h.own, func(original string, ask json.RawMessage) (any, error) {
			return part(ctx, c, original, ask)
		})
		if err != nil {
			return nil, err
		}
		by.Answer(answer)
		return &responses.Envelope{Success: true, Summary: c.What}, nil
	}
}

// trialAsk is a trial that a machine is asked to make.
type trialAsk struct {
	Change *change.Change  `json:"change,omitempty"`
	Check  json.RawMessage `json:"check"`
	Limit  time.Duration   `json:"limit"`
}

// trialDone is what came of it.
type trialDone struct {
	trial.Answer
	Took  time.Duration `json:"took"`
	Cores int           `json:"cores"` // of the machine
}

// helpers finds the machines that can try changes of the workspace of a problem.
func (h *Handlers) helpers(ctx context.Context, c *Call, problem attempt.Problem, parallel int, limit time.Duration) func() ([]attempt.Helper, string) {
	if problem.Workspace != h.Workspace {
		return nil
	}
	return func() (all []attempt.Helper, why string) {
		team, err := spread.Gather(ctx, c.Client, c.Tool, h.own, time.Now().Add(limit))
		if err != nil {
			return nil, err.Error()
		}
		if team == nil {
			return nil, ""
		}
		for _, m := range team.Machines {
			all = append(all, &farTrials{Machine: m, most: parallel})
		}
		return all, ""
	}
}

// farTrials are those of another machine.
type farTrials struct {
	*spread.Machine
	most  int // at once; 0: as many as it has cores
	cores int // known after the first
}

// Name is that of the machine.
func (f *farTrials) Name() string { return f.Machine.Name }

// Parallel is how many trials it makes at once.
func (f *farTrials) Parallel() int {
	if f.most > 0 {
		return min(f.most, f.cores)
	}
	return f.cores
}

// mostCores is how many of a machine's are believed.
const mostCores = 64

// Run has the machine make a trial. Of the files that it has read outside of the workspace nothing is
// known here.
func (f *farTrials) Run(ctx context.Context, _ trial.Place, made *change.Change, check any, limit time.Duration) (*trial.Result, error) {
	text, err := json.Marshal(check)
	if err != nil {
		return nil, fmt.Errorf("writing the check: %w", err)
	}
	var done trialDone
	if err := f.Ask(ctx, limit, max(f.cores, 1), trialAsk{Change: made, Check: text, Limit: limit}, &done); err != nil {
		return nil, err
	}
	if f.cores == 0 {
		f.cores = max(1, min(done.Cores, mostCores))
	}
	return &trial.Result{Answer: done.Answer, Took: done.Took}, nil
}

// trialPart makes a trial that another machine has asked for, under the policy of this one.
func (h *Handlers) trialPart(ctx context.Context, _ *Call, original string, ask json.RawMessage) (any, error) {
	var a trialAsk
	if err := json.Unmarshal(ask, &a); err != nil {
		return nil, fault.New(fault.InvalidParam, "reading a trial: %w", err)
	}
	if err := h.Policy.Change("trying changes of the code", "action"); err != nil {
		return nil, err
	}
	if a.Change != nil {
		for _, f := range a.Change.Files {
			if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
				return nil, fault.New(fault.InvalidParam, "%s leads out of the workspace", f.Name)
			}
			if err := h.Policy.Path("candidates", filepath.Join(h.Workspace, filepath.FromSlash(f.Name))); err != nil {
				return nil, err
			}
		}
	}
	result, err := h.Trials.Run(ctx, trial.Place{Workspace: h.Workspace, Original: original}, a.Change, a.Check, a.Limit)
	if err != nil {
		return nil, err
	}
	return trialDone{Answer: result.Answer, Took: result.Took, Cores: runtime.NumCPU()}, nil
}

// helpedText tells which candidates were tried where.
func helpedText(r *attempt.Result) (how []string) {
	elsewhere := 0
	for _, help := range r.Helped {
		elsewhere += help.Tried
		how = append(how, helpText(help))
	}
	if elsewhere > 0 {
		how = append([]string{fmt.Sprintf("here: %d tried", countTried(r)-elsewhere)}, how...)
	}
	return how
}

func helpText(help attempt.Help) string {
	switch {
	case help.Machine == "":
		return "on no other machine: " + help.Why
	case help.Why == "":
		return fmt.Sprintf("on %s: %d tried", help.Machine, help.Tried)
	case help.Tried == 0:
		return fmt.Sprintf("on %s: none: %s", help.Machine, help.Why)
	}
	return fmt.Sprintf("on %s: %d tried, then no more: %s", help.Machine, help.Tried, help.Why)
}

// countTried counts the candidates that were run.
func countTried(r *attempt.Result) (n int) {
	for _, row := range r.Rows {
		if row.MS > 0 {
			n++
		}
	}
	return n
}
