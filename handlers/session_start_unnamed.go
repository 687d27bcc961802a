package handlers

import (
	"errors"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// withProposals adds to an error that says that nothing names what is to be started what
// could be: the starts of this very workspace.
func (h *Handlers) withProposals(p *tools.SessionStartParams, err error) error {
	var f *fault.Error
	var advised *responses.Advised
	if !errors.As(err, &f) || errors.As(err, &advised) || f.Field != "target" || p.Target != "" || p.Test != "" ||
		!slices.Contains([]fault.Code{fault.MissingParam, fault.InvalidTarget}, f.Code) {
		return err
	}
	root := h.starts().root(p.WorkspaceRoot)
	if h.Policy.Path("workspace_root", root) != nil {
		return err
	}
	project, unread := h.Adapters.Projects().Detect(root)
	if unread != nil {
		return err
	}
	l := &look{h: h, p: &tools.InitParams{WorkspaceRoot: p.WorkspaceRoot, Mode: p.Mode}, language: h.languageOf(p.Language), data: &responses.Workspace{}}
	l.take(project, false)
	steps := l.nextSteps(nil)
	if len(steps) == 0 && len(project.Notes) > 0 {
		return f.WithHint("%s", strings.Join(project.Notes, "; "))
	}
	if len(steps) == 0 {
		return f.WithHint("no program and no test was found in %s; give target, or the project's directory as workspace_root", root)
	}
	return &responses.Advised{Err: f.WithHint("give target, test or launch_config_name"), NextSteps: steps}
}

// languageOf is the language of an adapter by any of its names, empty for none.
func (h *Handlers) languageOf(name string) string {
	if a, err := h.adapterOf(name); err == nil && name != "" {
		return a.Info().Language
	}
	return ""
}
