package handlers

import (
	"context"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// adapter lists the debug adapters and says whether they can run here.
func (h *Handlers) adapter(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.AdapterParams)
	rows, err := h.checkAdapters(ctx, p.Language)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: readiness(rows), Data: &responses.Adapters{Adapters: rows}}, nil
}

// checkAdapters looks at the adapter of a language, or at all.
func (h *Handlers) checkAdapters(ctx context.Context, language string) ([]responses.Adapter, error) {
	list := h.Adapters.All()
	if language != "" {
		one, err := h.adapterOf(language)
		if err != nil {
			return nil, err
		}
		list = []adapters.Adapter{one}
	}
	rows := make([]responses.Adapter, len(list))
	for i, a := range list {
		rows[i] = describe(a.Info(), a.Check(ctx))
	}
	return rows, ctx.Err()
}

func describe(info adapters.Info, r adapters.Readiness) responses.Adapter {
	row := responses.Adapter{
		Language: info.Language, Name: info.Name, Ready: r.Ready,
		Version: r.Version, Path: r.Path, Problem: r.Problem, Remedy: r.Remedy,
	}
	for _, m := range info.Modes {
		row.Modes = append(row.Modes, string(m))
	}
	return row
}

// adapterOf finds the adapter of a language by any of its names.
func (h *Handlers) adapterOf(language string) (adapters.Adapter, error) {
	if a := h.Adapters.Get(language); a != nil {
		return a, nil
	}
	known := h.Adapters.Languages()
	err := fault.New(fault.AdapterNotFound, "there is no debug adapter for %q", language).WithField("language")
	if like := source.Closest(language, known, 1); len(like) > 0 {
		return nil, err.WithHint("did you mean %q? there are adapters for: %s", like[0], strings.Join(known, ", "))
	}
	return nil, err.WithHint("there are adapters for: %s", strings.Join(known, ", "))
}

// readiness says in one sentence which adapters can run.
func readiness(rows []responses.Adapter) string {
	said := make([]string, len(rows))
	for i, a := range rows {
		said[i] = fmt.Sprintf("%s (%s) is ready", a.Name, a.Language)
		if !a.Ready {
			said[i] = fmt.Sprintf("%s (%s) is not ready: %s", a.Name, a.Language, a.Problem)
		}
	}
	return strings.Join(said, "; ")
}
