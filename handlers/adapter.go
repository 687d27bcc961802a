package handlers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// adapter lists the debug adapters, says whether they can run here, and changes
// what is installed.
func (h *Handlers) adapter() Tool[*tools.AdapterParams] {
	return Tool[*tools.AdapterParams]{
		Definition: tools.Adapter(),
		Action:     func(p *tools.AdapterParams) string { return p.Action },
		Actions: Actions[*tools.AdapterParams]{
			"list":        {Handle: h.listAdapters},
			"verify":      {Handle: h.verifyAdapters},
			"install":     {Effect: changesInstalled, Handle: h.installAdapters},
			"install_all": {Effect: changesInstalled, Handle: h.installAdapters},
			"remove":      {Effect: changesInstalled, Handle: h.removeAdapter},
		},
	}
}

// changesInstalled is the effect of what changes the installed adapters.
const changesInstalled = "changing what is installed"

// needsLanguage is the error of an action that has to name a language and does not.
func (h *Handlers) needsLanguage(p *tools.AdapterParams) error {
	if p.Language != "" || p.Action == "install_all" {
		return nil
	}
	return missingParam("language", fmt.Sprintf("adapter(%s) needs language", p.Action),
		fmt.Sprintf(`for example {"action":%q,"language":%q}; adapter(list) shows all`, p.Action, h.Adapters.Languages()[0]))
}

func (h *Handlers) listAdapters(ctx context.Context, _ *Call, p *tools.AdapterParams) (*responses.Envelope, error) {
	rows, err := h.checkAdapters(ctx, p.Language)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{
		Success: true, Summary: readinessText(rows), Data: &responses.Adapters{Adapters: rows},
	}, nil
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
	return describeAll(ctx, list), ctx.Err()
}

// describeAll asks the adapters, all at once: some start a program to find out.
func describeAll(ctx context.Context, list []adapters.Adapter) []responses.Adapter {
	rows := make([]responses.Adapter, len(list))
	var asked sync.WaitGroup
	for i, a := range list {
		asked.Go(func() { rows[i] = describe(a.Info(), a.Check(ctx).TrueCause()) })
	}
	asked.Wait()
	return rows
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

// readinessText says in one sentence which adapters can run.
func readinessText(rows []responses.Adapter) string {
	if len(rows) == 1 {
		return readyText(rows[0])
	}
	var can, cannot []string
	for _, a := range rows {
		if a.Ready {
			can = append(can, a.Language)
		} else {
			cannot = append(cannot, fmt.Sprintf("%s (%s)", a.Language, a.Problem))
		}
	}
	var said []string
	if len(can) > 0 {
		said = append(said, "ready: "+strings.Join(can, ", "))
	}
	if len(cannot) > 0 {
		said = append(said, "not ready: "+strings.Join(cannot, ", "))
	}
	return strings.Join(said, "; ")
}

func readyText(a responses.Adapter) string {
	if a.Ready {
		return fmt.Sprintf("%s (%s) is ready", a.Name, a.Language)
	}
	return fmt.Sprintf("%s (%s) is not ready: %s", a.Name, a.Language, a.Problem)
}

// adaptersFor are the adapters of the languages that we have adapters for.
func (h *Handlers) adaptersFor(languages []string) []adapters.Adapter {
	var list []adapters.Adapter
	for _, language := range languages {
		a := h.Adapters.Get(language)
		known := func(other adapters.Adapter) bool { return other.Info().Language == a.Info().Language }
		if a != nil && !slices.ContainsFunc(list, known) {
			list = append(list, a)
		}
	}
	return list
}
