package handlers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/trial"
	"aidb-mcp/internal/workspace"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// Trials try a change in a workspace of its own.
type Trials interface {
	Run(ctx context.Context, workspace string, made *change.Change, check any, limit time.Duration) (*trial.Result, error)
}

// attempt tries remedies, remembers them, and writes one that has passed.
func (h *Handlers) attempt(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.AttemptParams)
	c.What = "attempt " + p.Action
	m, err := h.matter(ctx, c, p)
	if err != nil {
		return nil, err
	}
	switch p.Action {
	case "list":
		return m.list(ctx)
	case "forget":
		return m.forget(ctx)
	case "apply":
		return m.apply(ctx, p)
	case "propose":
		return m.propose(ctx, c, p)
	}
	return m.try(ctx, c, p)
}

// matter is a problem that is worked on: a check in a workspace.
type matter struct {
	h         *Handlers
	workspace string // absolute
	check     *tools.Start
	start     json.RawMessage   // the same as arguments of session_start
	problem   string            // its name in the memory
	sources   workspace.Sources // as they were when the call came
	begun     time.Time
	calls     bool // of the failure are wanted, for a model that has not seen the code
}

// matter is what the call is about: its check, else the start of its session.
func (h *Handlers) matter(ctx context.Context, c *Call, p *tools.AttemptParams) (*matter, error) {
	m := &matter{h: h, workspace: h.Workspace, start: p.Check, begun: time.Now()}
	switch {
	case len(p.Check) > 0:
	case c.Session != nil:
		r := c.Session.Again()
		m.start = startOf(r, cmp.Or(r.Program.Workspace, h.Workspace) != h.Workspace)
	default:
		return nil, fault.New(fault.MissingParam, "nothing says what must pass").WithField("check").
			WithHint(`give check as session_start would have it, for example {"test":"TestTotal"}, or session_id of a session whose start is to be made again`)
	}
	m.check = &tools.Start{More: m.start}
	full, err := tools.StartParams(m.check)
	if err != nil {
		return nil, ofCheck(err)
	}
	if full.WorkspaceRoot != "" {
		m.workspace = h.root(full.WorkspaceRoot)
	}
	if full.PID != 0 || full.Port != 0 || full.CoreFile != "" || slices.Contains([]string{"attach", "remote_attach", "core"}, full.Mode) {
		return nil, fault.New(fault.InvalidParam, "a check is a run of its own: no change of the code shows in a program that runs already, or in a core file").WithField("check").
			WithHint("give target or test, as session_start has them where it starts the program itself")
	}
	if p.Action != "list" { // which only looks
		if err := h.Policy.Change("trying changes of the code", "action"); err != nil {
			return nil, err
		}
		if _, err := h.Sessions.Prospect(h.startRequest(full)); err != nil {
			return nil, ofCheck(err)
		}
	}
	m.problem = h.problem(h.startRequest(full))
	if p.Action != "list" && p.Action != "forget" {
		m.sources = workspace.ReadSources(ctx, m.workspace)
	}
	return m, nil
}

// ofCheck names the field of a check that an error is about.
func ofCheck(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	told := *f
	told.Field = strings.TrimSuffix("check."+f.Field, ".")
	return &told
}

// problem names a start in the memory, however it was asked for.
func (h *Handlers) problem(r session.StartRequest) string {
	return attempts.ID(identity(cmp.Or(r.Program.Workspace, h.Workspace)), canonical(startOf(r, false)))
}

// startOf is a start as session_start's arguments say it, with its workspace or without.
func startOf(r session.StartRequest, rooted bool) json.RawMessage {
	p := r.Program
	args := responses.Object{}
	add := func(name string, given bool, value any) {
		if given {
			args = append(args, responses.Member{Name: name, Value: value})
		}
	}
	add("language", r.Language != "", r.Language)
	add("target", p.Target != "", p.Target)
	add("test", p.Test != "", p.Test)
	add("module", p.Module != "", p.Module)
	add("mode", p.Mode != "", p.Mode)
	add("args", p.Args != nil, p.Args)
	add("env", p.Env != nil, p.Env)
	add("env_file", p.EnvFile != "", p.EnvFile)
	add("cwd", p.Cwd != "", p.Cwd)
	add("stdin", r.Stdin != nil, r.Stdin)
	add("runtime_path", p.RuntimePath != "", p.RuntimePath)
	add("build_args", p.BuildArgs != nil, p.BuildArgs)
	add("workspace_root", rooted, p.Workspace)
	add("adapter_options", len(p.Options) > 0, p.Options)
	text, err := args.MarshalJSON()
	if err != nil { // plain texts always marshal
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

// at once is how many candidates are tried beside each other.
func (m *matter) parallel(asked, candidates int) int {
	most := max(1, runtime.NumCPU())
	if asked > 0 {
		most = min(asked, most)
	}
	return min(most, max(candidates, 1))
}

// change works out what a candidate makes of the workspace; nil for one that changes
// the running program only.
func (m *matter) change(cand tools.Candidate, n int) (*change.Change, error) {
	field := fmt.Sprintf("candidates[%d]", n)
	given := 0
	for _, is := range []bool{cand.Patch != "", len(cand.Edits) > 0, cand.At != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, fault.New(fault.InvalidParam, "a candidate is one of patch, edits and at, and this has %d of them", given).WithField(field).
			WithHint(`for example {"hypothesis":"off by one","edits":[{"file":"calc.py","old":"i < n","new":"i <= n"}]}`)
	}
	var made *change.Change
	var err error
	switch {
	case cand.Patch != "":
		made, err = change.Patch(m.workspace, cand.Patch)
		field += ".patch"
	case len(cand.Edits) > 0:
		edits := make([]change.Edit, len(cand.Edits))
		for i, e := range cand.Edits {
			edits[i] = change.Edit{File: m.relative(e.File), Old: e.Old, New: e.New}
		}
		made, err = change.Edits(m.workspace, edits)
		field += ".edits"
	default:
		if len(cand.At.Set) == 0 && !cand.At.Skip {
			return nil, fault.New(fault.InvalidParam, "at does nothing there").WithField(field + ".at").
				WithHint(`give set, as {"total":"0"}, or skip: true`)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.InvalidParam, "%w", err).WithField(field)
	}
	for _, f := range made.Files {
		if err := m.h.Policy.Path(field, filepath.Join(m.workspace, filepath.FromSlash(f.Name))); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// relative is a path below the workspace, as agents give files: absolute ones too.
func (m *matter) relative(file string) string {
	if rel, err := filepath.Rel(m.workspace, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return strings.TrimPrefix(filepath.ToSlash(file), "./")
}

// described is what a candidate does, where nobody says why.
func (m *matter) described(cand tools.Candidate) string {
	switch {
	case cand.At != nil:
		var what []string
		for _, name := range slices.Sorted(maps.Keys(cand.At.Set)) {
			what = append(what, "set "+name+" = "+cand.At.Set[name])
		}
		if cand.At.Skip {
			what = append(what, "skip")
		}
		if len(what) == 0 {
			return ""
		}
		return strings.Join(what, ", ") + " at " + m.relative(cand.At.Location)
	case len(cand.Edits) == 1:
		e := cand.Edits[0]
		return fmt.Sprintf("%s: %s → %s", m.relative(e.File), inShort(e.Old), inShort(e.New))
	case len(cand.Edits) > 1:
		return "edits of " + strings.Join(edited(cand.Edits, m.relative), ", ")
	}
	return ""
}

// inShort is a text in one line.
func inShort(text string) string {
	return responses.Shorten(strings.Join(strings.Fields(text), " "), summarized)
}

// edited are the files of edits, each once.
func edited(edits []tools.Edit, name func(string) string) []string {
	var files []string
	for _, e := range edits {
		if file := name(e.File); !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}
