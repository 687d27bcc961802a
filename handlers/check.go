package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/client"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/diagnosis"
	"aidb-mcp/tools"
)

// Check is one run of a program that is to show whether a change mends it. It is made by
// a process of its own, in a workspace of its own.
type Check struct {
	Start json.RawMessage `json:"start"` // arguments of session_start
	// Original is the workspace that the start speaks of, where this one is a copy.
	Original string        `json:"-"`
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
	h := r.own
	start := &tools.Start{More: k.Start}
	decoded, err := tools.StartParams(start)
	if err != nil {
		return nil, err
	}
	decoded.WorkspaceRoot = "" // it is this one, be it the named one or its copy
	b, err := h.applyLaunchConfig(ctx, nil, decoded)
	if err != nil {
		return nil, err
	}
	c := &Call{Tool: "check", Client: client.None{}, queue: &h.queue}
	defer c.Abandon()
	if k.At != nil && k.Original != "" {
		k.At.Location = strings.Replace(k.At.Location, k.Original+string(filepath.Separator), h.Workspace+string(filepath.Separator), 1)
	}
	x := examination{h: h, c: c, start: start, request: examined(b.with(h.relocated(decoded, k.Original))), over: time.Now().Add(k.Timeout), at: k.At}
	if k.At != nil {
		at, err := source.ParseLocation(k.At.Location)
		if err != nil {
			return nil, err
		}
		x.request.Break = []session.BreakpointSpec{{File: at.File, Line: at.Line, Column: at.Column, Function: at.Function}}
	}
	defer x.end(ctx)
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	if k.Calls && x.s != nil {
		if err := x.calls(ctx); err != nil {
			h.Log.Debug("the calls of a failing test", "error", err) // it has failed all the same
		}
	}
	return x.checked(ctx), nil
}

// relocated is a start in this workspace, which may be a copy of the one that it names.
func (h *Handlers) relocated(p *tools.SessionStartParams, original string) session.StartRequest {
	r := h.startRequest(p)
	if original == "" || original == h.Workspace {
		return r
	}
	roots := []string{original}
	if whole, err := filepath.EvalSymlinks(original); err == nil {
		roots = append(roots, whole)
	}
	return session.Relocated(r, h.Workspace, roots...)
}

// checked is the failure of the run in short, and how many tests passed and failed when
// it went on to its end.
func (x *examination) checked(ctx context.Context) *Checked {
	d := &x.data
	d.Verdict = string(x.verdict)
	if d.Message == "" && x.verdict != diagnosis.OK { // as where a program has ended without a word
		d.Message = x.summary()
	}
	out := &Checked{FailureCard: d.Card(), Hits: x.hits, Late: x.verdict.Hangs()}
	out.Mask(x.h.Mask.Text)
	if x.s == nil {
		return out
	}
	text := x.printedInAll(ctx)
	out.Passed, out.Failed = diagnosis.Counts(text)
	return out
}

// finishing is how long a failed run may go on, for its framework to count.
const finishing = 5 * time.Second

// printedInAll is what the program has printed when it is let run to its end: for a test's
// framework to count, or for a runtime to say what it could not read.
func (x *examination) printedInAll(ctx context.Context) string {
	out := &x.v.Output
	if x.v.State.Status != session.StoppedException || !x.testing() && x.verdict != diagnosis.BuildFailed {
		return out.Stdout.Text + out.Stderr.Text
	}
	if _, err := x.s.SetExceptions(ctx, []string{"none"}); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	if err := x.s.Continue(ctx, 0); err != nil {
		return out.Stdout.Text + out.Stderr.Text
	}
	if st, err := x.s.Wait(ctx, min(finishing, max(time.Until(x.over), shortestRun))); err == nil {
		x.v.State = st
	}
	rest := x.s.TakeOutput(2000)
	out.Stdout.Text += rest.Stdout.Text
	out.Stderr.Text += rest.Stderr.Text
	return out.Stdout.Text + out.Stderr.Text
}

// intervene does at each stop of the place what is to be tried there, until the program
// stops elsewhere or ends.
func (x *examination) intervene(ctx context.Context, st session.State) (session.State, error) {
	for st.Status == session.StoppedBreakpoint {
		x.hits++
		for _, name := range slices.Sorted(maps.Keys(x.at.Set)) {
			if _, _, err := x.s.Assign(ctx, name, x.at.Set[name], 0, 0); err != nil {
				return st, err
			}
		}
		if x.at.Skip {
			if err := x.skip(ctx); err != nil {
				return st, err
			}
		}
		if err := x.s.Continue(ctx, 0); err != nil {
			return st, err
		}
		var err error
		if st, err = x.s.Wait(ctx, max(time.Until(x.over)-watchTime, shortestRun)); err != nil {
			return st, err
		}
	}
	return st, nil
}

// skip moves over the statement that is about to run.
func (x *examination) skip(ctx context.Context) error {
	frames, _, err := x.s.Stack(ctx, 0, 0, 1)
	if err != nil {
		return err
	}
	if len(frames) == 0 || frames[0].File == "" {
		return fault.New(fault.NotSupported, "the statement cannot be skipped: its place is not known").WithField("at.skip")
	}
	if x.s.CarriesRegisters() {
		return fault.New(fault.NotSupported, "a statement of %s cannot be skipped, for what follows it may read what it leaves in a register", x.s.Language()).WithField("at.skip").
			WithHint("set a variable so that the statement does nothing, or try an edit")
	}
	next := x.s.NextStatement(frames[0].File, frames[0].Line)
	if next == 0 {
		return fault.New(fault.NotSupported, "no statement of the same block follows line %d", frames[0].Line).WithField("at.skip").
			WithHint("set a variable so that the statement does nothing, or try an edit")
	}
	if err := x.s.Jump(ctx, fmt.Sprintf("%s:%d", frames[0].File, next), 0); err != nil {
		return err
	}
	_, err = x.s.Wait(ctx, watchTime) // some debuggers answer before it stands there
	return err
}
