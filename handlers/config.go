package handlers

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// config shows what this server can do and how it is set, and changes it.
func (h *Handlers) config() Tool[*tools.ConfigParams] {
	return Tool[*tools.ConfigParams]{
		Definition: tools.Config(),
		Action:     func(p *tools.ConfigParams) string { return p.Action },
		Actions: Actions[*tools.ConfigParams]{
			"show":         {Rule: anytime, Shows: true, Handle: h.showSettings},
			"get":          {Rule: anytime, Handle: h.getSetting},
			"set":          {Rule: anytime, Handle: h.setSetting},
			"env":          {Rule: anytime, Handle: h.environment},
			"capabilities": {Rule: anytime, Handle: h.capabilities},
			"launch":       {Rule: anytime, Handle: h.launchConfigs},
			"adapters":     {Rule: anytime, Shows: true, Handle: h.readyAdapters},
		},
	}
}

func (h *Handlers) showSettings(context.Context, *Call, *tools.ConfigParams) (*responses.Envelope, error) {
	return &responses.Envelope{Success: true, Summary: fmt.Sprintf("%d settings", len(keys)), Data: &responses.Config{
		Version: h.Settings.version(), Workspace: h.Workspace, Policy: h.Policy.String(), Settings: h.settings(),
	}}, nil
}

func (h *Handlers) readyAdapters(ctx context.Context, _ *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	rows, err := h.checkAdapters(ctx, p.Language)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: readinessText(rows), Data: &responses.Config{Adapters: rows}}, nil
}

func (h *Handlers) getSetting(_ context.Context, _ *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	if p.Key == "" {
		return nil, missingParam("key", "config(get) needs key, the setting to read", `for example {"action":"get","key":"max_bytes"}; config(show) lists all`)
	}
	k, err := keyNamed(p.Key)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{
		Success: true, Summary: fmt.Sprintf("%s is %d (%s)", k.name, k.get(h), k.doc),
		Data: &responses.Config{Key: k.name, Value: k.get(h)},
	}, nil
}

func (h *Handlers) setSetting(_ context.Context, _ *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	const example = `for example {"action":"set","key":"max_bytes","value":"20000"}; config(show) lists all`
	switch {
	case p.Key == "":
		return nil, missingParam("key", "config(set) needs key, the setting to change", example)
	case p.Value == "":
		return nil, missingParam("value", "config(set) needs value", example)
	}
	k, err := keyNamed(p.Key)
	if err != nil {
		return nil, err
	}
	n, err := k.parse(p.Value)
	if err != nil {
		return nil, err
	}
	was := k.get(h)
	k.set(h, n)
	said := fmt.Sprintf("%s is now %d", k.name, k.get(h))
	if k.name != "max_bytes" {
		said += ", for sessions started from now on"
	}
	return &responses.Envelope{Success: true, Summary: said, Data: &responses.Config{Key: k.name, Value: k.get(h), Was: was}}, nil
}

// environment shows the variables that set us, without what is secret.
func (h *Handlers) environment(context.Context, *Call, *tools.ConfigParams) (*responses.Envelope, error) {
	var found responses.Object
	for _, line := range os.Environ() {
		if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, "AIDB_") {
			found = append(found, responses.Member{Name: name, Value: h.Mask.Variable(name, value)})
		}
	}
	slices.SortFunc(found, func(a, b responses.Member) int { return cmp.Compare(a.Name, b.Name) })
	return &responses.Envelope{
		Success: true, Summary: fmt.Sprintf("%s set", responses.Plural(len(found), "AIDB_ variable")),
		Data: &responses.Config{Environment: found},
	}, nil
}

// capabilities says what the session's adapter can do, and what is supplied for it.
func (h *Handlers) capabilities(_ context.Context, c *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	list, who, err := h.capabilitiesOf(c.Session, p.Language)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: "what can be done with " + who, Data: &responses.Config{Capabilities: capabilities(list)}}, nil
}
