package handlers

import (
	"context"
	"errors"

	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// Programs and test packages that init lists when it is not verbose.
const initList = 10

// init looks at the workspace and answers with what can be debugged in it.
func (h *Handlers) init() Tool[*tools.InitParams] {
	return Tool[*tools.InitParams]{
		Definition: tools.Init(),
		Actions: Actions[*tools.InitParams]{
			"": {Handle: h.lookAtWorkspace},
		},
	}
}

func (h *Handlers) lookAtWorkspace(ctx context.Context, _ *Call, p *tools.InitParams) (*responses.Envelope, error) {
	language := ""
	if p.Language != "" {
		a, err := h.adapterOf(p.Language)
		if err != nil {
			return nil, err
		}
		language = a.Info().Language
	}
	look := &look{h: h, p: p, language: language, data: &responses.Workspace{}}
	for i, root := range h.starts().roots(p) {
		if err := h.Policy.Path("workspace_root", root); err != nil {
			return nil, err
		}
		project, err := h.Adapters.Projects().Detect(root)
		if err != nil {
			var f *fault.Error
			if errors.As(err, &f) {
				return nil, f.WithField("workspace_root")
			}
			return nil, fault.New(fault.InvalidTarget, "%w", err).WithField("workspace_root").
				WithHint("give the directory of the project, absolute or relative to %s", h.Workspace)
		}
		look.take(project, i > 0)
	}
	about := look.found
	if language != "" {
		about = []string{language}
	}
	if look.data.Adapters = describeAll(ctx, h.adaptersFor(about)); len(look.data.Adapters) == 0 {
		look.data.Adapters = describeAll(ctx, h.Adapters.All())
	}
	return look.envelope()
}

// roots are the directories to look at.
func (sr startResolver) roots(p *tools.InitParams) []string {
	if len(p.WorkspaceRoots) == 0 {
		return []string{sr.root(p.WorkspaceRoot)}
	}
	roots := make([]string, len(p.WorkspaceRoots))
	for i, r := range p.WorkspaceRoots {
		roots[i] = sr.root(r)
	}
	return roots
}
