package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"aidb-mcp/internal/commands/setup"
	"aidb-mcp/internal/fault"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// languages are those that an action of adapter is about; none means all.
func languages(p *tools.AdapterParams) []string {
	if p.Language == "" || p.Action == "install_all" {
		return nil
	}
	return []string{p.Language}
}

// installAdapters brings the adapter of a language, or all, and says whether
// they can run then.
func (h *Handlers) installAdapters(ctx context.Context, c *Call, p *tools.AdapterParams) (*responses.Envelope, error) {
	if err := h.needsLanguage(p); err != nil {
		return nil, err
	}
	steps, err := h.Setup.Install(ctx, languages(p), setup.Options{Force: p.Force, Version: p.Version}, installProgress(c))
	if err != nil {
		return nil, err
	}
	h.journal.noteSteps(steps)
	data := &responses.Adapters{Components: stepRows(steps), Directory: h.directory()}
	if failed := setup.Failure(steps); failed != nil {
		env := responses.Failure(failed)
		env.Data = data
		return env, nil
	}
	about := languages(p)
	for _, s := range steps {
		about = append(about, s.Languages...)
	}
	data.Adapters = describeAll(ctx, h.adaptersFor(about))
	env := &responses.Envelope{Success: true, Summary: stepsText(steps), Data: data}
	if len(data.Adapters) > 0 {
		env.Summary += "; " + readinessText(data.Adapters)
	}
	if p.Action == "install" && len(data.Adapters) > 0 && data.Adapters[0].Ready {
		env.NextSteps = []responses.NextStep{responses.NewCall("init", "language", data.Adapters[0].Language).
			Why("complete session_start calls for this workspace")}
	}
	return env, nil
}

// installProgress tells the client what is done: each new thing, and every
// quarter of what can be measured.
func installProgress(c *Call) func(setup.Event) {
	last := ""
	return func(e setup.Event) {
		doing := e.Doing
		if e.Component != "" {
			doing = e.Component + ": " + doing
		}
		done := float64(e.Step)
		if e.Total > 0 {
			quarters := e.Done * 4 / e.Total
			doing += fmt.Sprintf(", %d %%", quarters*25)
			done += float64(quarters) / 4
		}
		if doing != last {
			last = doing
			c.tell(doing, done, float64(e.Steps))
		}
	}
}

// removeAdapter takes away what was installed for a language.
func (h *Handlers) removeAdapter(ctx context.Context, _ *Call, p *tools.AdapterParams) (*responses.Envelope, error) {
	if err := h.needsLanguage(p); err != nil {
		return nil, err
	}
	steps, err := h.Setup.Remove(ctx, languages(p))
	if err != nil {
		return nil, err
	}
	h.journal.noteSteps(steps)
	return &responses.Envelope{
		Success: true, Summary: stepsText(steps),
		Data: &responses.Adapters{Components: stepRows(steps), Directory: h.directory()},
	}, nil
}

// directory is where adapters are kept, empty where there is no home for them.
func (h *Handlers) directory() string {
	if h.Setup.Store.Homeless() != nil {
		return ""
	}
	return h.Setup.Store.Root()
}

// fileList is how many damaged files are named.
const fileList = 10

// verifyAdapters reads every installed file and asks the adapters.
func (h *Handlers) verifyAdapters(ctx context.Context, _ *Call, p *tools.AdapterParams) (*responses.Envelope, error) {
	found, err := h.Setup.Verify(ctx, languages(p))
	if err != nil {
		return nil, err
	}
	rows, err := h.checkAdapters(ctx, p.Language)
	if err != nil {
		return nil, err
	}
	data := &responses.Adapters{Adapters: rows}
	env := &responses.Envelope{Success: true, Summary: readinessText(rows), Data: data}
	var whole, damaged []string
	for _, f := range found {
		data.Directory = h.directory()
		row := healthRow(f)
		data.Components = append(data.Components, row)
		if len(row.Files) > 0 {
			damaged = append(damaged, f.Component.Name)
			env.NextSteps = append(env.NextSteps, responses.NewCall("adapter", "action", "install", "language", f.Component.Languages[0], "force", true).
				Why("install "+f.Component.Name+" again"))
		} else if f.Version != "" {
			whole = append(whole, f.Component.Name)
		}
	}
	if len(whole) > 0 {
		env.Summary = "whole: " + strings.Join(whole, ", ") + "; " + env.Summary
	}
	if len(damaged) > 0 {
		env.Summary = "damaged: " + strings.Join(damaged, ", ") + "; " + env.Summary
	}
	return env, nil
}

func healthRow(f setup.Health) responses.Component {
	row := responses.Component{
		Name: f.Component.Name, Version: f.Version, Languages: f.Component.Languages, State: string(f.Condition),
		Files: f.Files[:min(len(f.Files), fileList)],
	}
	if len(f.Files) > fileList {
		row.FileCount = len(f.Files)
	}
	if f.Version != f.Component.Version {
		row.Pinned = f.Component.Version
	}
	return row
}

func stepRows(steps []setup.Step) []responses.Component {
	var rows []responses.Component
	for _, s := range steps {
		row := responses.Component{Name: s.Name, Version: s.Version, Languages: s.Languages, State: string(s.Did)}
		if s.Err != nil && s.Optional { // other failures are the error of the reply
			row.Problem = s.Err.Error()
			var f *fault.Error
			if errors.As(s.Err, &f) && f.Hint != "" {
				row.Problem += "; " + f.Hint
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// stepsText is what was done, in a sentence.
func stepsText(steps []setup.Step) string {
	var parts []string
	for _, s := range steps {
		if s.Did == setup.BuiltIn || s.Did == setup.Elsewhere {
			parts = append(parts, fmt.Sprintf("%s is %s", s.Name, s.Did))
			continue
		}
		parts = append(parts, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s", s.Name, s.Version, s.Did)), " "))
	}
	return strings.Join(parts, ", ")
}
