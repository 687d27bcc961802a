package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/repeated"
	"aidb-mcp/investigate/spread"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// farRuns are the runs of a diagnosis that were made on several machines.
type farRuns struct {
	*repeated.Found
	notes []string // why no others were asked
}

// findFailureOn makes the runs here and on the machines that hold the same workspace; far is nil where
// nobody else was asked.
func (h *Handlers) findFailureOn(ctx context.Context, c *Call, host diagnose.Host, q diagnose.Question) (r *diagnose.Result, far *farRuns, err error) {
	var team *spread.Team
	var unasked error
	if repeated.CanBeShared(q, h.Workspace) {
		team, unasked = spread.Gather(ctx, c.Client, c.Tool, h.own, q.Over)
	}
	if team == nil {
		r, err = diagnose.Run(ctx, host, q)
		if unasked != nil && err == nil {
			far = &farRuns{notes: []string{"on no other machine: " + unasked.Error()}}
		}
		return r, far, err
	}
	r, found, err := repeated.Search{
		Host: host, Question: q, Start: startOf(q.Request, false),
		Progress: func(made int) { c.tell("making runs", float64(made), float64(q.Repeat)) },
	}.Until(ctx, team)
	if err != nil {
		return nil, nil, err
	}
	return r, &farRuns{Found: found}, nil
}

// runsPart makes runs for another machine, under the policy of this one.
func (h *Handlers) runsPart(ctx context.Context, c *Call, original string, ask json.RawMessage) (any, error) {
	var a repeated.Ask
	if err := json.Unmarshal(ask, &a); err != nil {
		return nil, fault.New(fault.InvalidParam, "reading what is to be run: %w", err)
	}
	full, err := tools.StartParams(&tools.Start{More: a.Start})
	if err != nil {
		return nil, err
	}
	full.WorkspaceRoot = "" // it is this one
	b, err := h.starts().applyLaunchConfig(ctx, unattended(), full)
	if err != nil {
		return nil, err
	}
	return a.Do(ctx, h.diagnosisHost(c), b.with(h.starts().relocate(full, original)), teller{h})
}

// howText tells what was run where.
func (f *farRuns) howText() string {
	if f == nil {
		return ""
	}
	how := f.notes
	if f.Found != nil {
		how = append(how, "here: "+f.Here.Rate())
		for _, l := range f.There {
			how = append(how, laneText(l))
		}
	}
	return strings.Join(how, "; ")
}

func laneText(l *spread.Lane) string {
	said := fmt.Sprintf("on %s: ", l.Machine.Name)
	why := l.Machine.Aside()
	if l.Lost > 0 {
		why = fmt.Sprintf("%s given up in the middle, and not counted", responses.Plural(l.Lost, "run"))
	}
	switch {
	case why == "":
		return said + l.Rate()
	case l.Made == 0:
		return said + "none: " + why
	}
	return said + l.Rate() + ", then no more: " + why
}
