package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// Check is one run of a program that is to show whether a change mends it. It is made by
// a process of its own, in a workspace of its own.
type Check struct {
	Start json.RawMessage `json:"start"` // arguments of session_start
	// Original is the workspace that the start speaks of, where this one is a copy.
	Original string        `json:"-"`
	Changed  bool          `json:"-"` // sources are others than those of the workspace
	At       *tools.At     `json:"at,omitempty"`
	Calls    bool          `json:"calls,omitempty"` // of a failing test are told, where they show
	Timeout  time.Duration `json:"timeout"`
}

// Checked is what came of a check.
type Checked struct {
	responses.FailureCard
	Passed int  `json:"passed,omitempty"` // tests, as their framework counts them
	Failed int  `json:"failed,omitempty"`
	Hits   int  `json:"hits,omitempty"` // of the place where the run was changed
	Late   bool `json:"late,omitempty"` // it was not over when its time was
}

// Check makes the run. Errors are *fault.Error: the check itself cannot be made.
func (r *Registry) Check(ctx context.Context, k Check) (*Checked, error) {
	h := r.handlers
	start := &tools.Start{More: k.Start}
	decoded, err := tools.StartParams(start)
	if err != nil {
		return nil, err
	}
	decoded.WorkspaceRoot = "" // it is this one, be it the named one or its copy
	b, err := h.starts().applyLaunchConfig(ctx, unattended(), decoded)
	if err != nil {
		return nil, err
	}
	q := diagnose.Question{
		Request: b.with(h.starts().relocate(decoded, k.Original)), Over: time.Now().Add(k.Timeout), Calls: k.Calls, Count: true,
	}
	if k.At != nil {
		if q.Change, err = h.intervention(k); err != nil {
			return nil, err
		}
	}
	built := ""
	if k.Changed {
		built = session.Unbuild(&q.Request, h.Workspace)
	}
	result, err := diagnose.Run(ctx, h.standaloneHost(), q)
	if err != nil {
		return nil, cannotRebuildError(err, built)
	}
	return h.checkResult(result), nil
}

// cannotRebuildError is why a check cannot be made whose program was built before the change.
func cannotRebuildError(err error, built string) error {
	var f *fault.Error
	if built == "" || !errors.As(err, &f) {
		return err
	}
	return fault.New(f.Code, "%s was built before the change and would not show it, and it cannot be built again: %w", built, err).WithField("check.target").
		WithHint("give as target what it is built from: a source file, or the folder with its makefile or project file")
}

// intervention is what is done to the running program, and where.
func (h *Handlers) intervention(k Check) (*diagnose.Intervention, error) {
	location := k.At.Location
	if k.Original != "" {
		location = strings.Replace(location, k.Original+string(filepath.Separator), h.Workspace+string(filepath.Separator), 1)
	}
	at, err := source.ParseLocation(location)
	if err != nil {
		return nil, err
	}
	spec := session.BreakpointSpec{File: at.File, Line: at.Line, Column: at.Column, Function: at.Function}
	return &diagnose.Intervention{At: spec, Set: k.At.Set, Skip: k.At.Skip}, nil
}

// standaloneHost is the host of a diagnosis that no call has asked for.
func (h *Handlers) standaloneHost() diagnose.Host {
	return diagnose.Host{
		Sessions: h.Sessions, Workspace: h.Workspace, Log: h.Log,
		Adopt:   func(context.Context, *session.Session) error { return nil },
		Abandon: func() {}, Started: func(*session.Session) {}, Progress: func(string) {},
	}
}

// checkResult is the failure of the run in short, and how many tests passed and failed when
// it went on to its end.
func (h *Handlers) checkResult(r *diagnose.Result) *Checked {
	d := &diagnosisReply{h: h, r: r}
	data := d.data()
	if data.Message == "" && r.Verdict != judge.OK { // as where a program has ended without a word
		data.Message = d.summary()
	}
	out := &Checked{FailureCard: data.Card(), Passed: r.Passed, Failed: r.Failed, Hits: r.Hits, Late: r.Verdict.Hangs()}
	out.Unread = r.Unread && (out.Culprit == nil || out.Culprit.Value == "")
	out.Mask(h.Mask.Text)
	return out
}
