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
func (h *Handlers) config(ctx context.Context, c *Call) (*responses.Envelope, error) {
	p := c.Params.(*tools.ConfigParams)
	switch p.Action {
	case "get":
		return h.getSetting(p)
	case "set":
		return h.setSetting(p)
	case "env":
		return h.environment(), nil
	case "capabilities":
		return h.capabilities(c, p)
	case "launch":
		return h.launchConfigs(ctx, p)
	case "adapters":
		rows, err := h.checkAdapters(ctx, p.Language)
		if err != nil {
			return nil, err
		}
		return &responses.Envelope{Success: true, Summary: readiness(rows), Data: &responses.Config{Adapters: rows}}, nil
	}
	return &responses.Envelope{Success: true, Summary: fmt.Sprintf("%d settings", len(keys)), Data: &responses.Config{
		Version: h.Settings.version(), Workspace: h.Workspace, Policy: h.Policy.String(), Settings: h.settings(),
	}}, nil
}

func (h *Handlers) getSetting(p *tools.ConfigParams) (*responses.Envelope, error) {
	if p.Key == "" {
		return nil, missing("key", "config(get) needs key, the setting to read", `for example {"action":"get","key":"max_bytes"}; config(show) lists all`)
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

func (h *Handlers) setSetting(p *tools.ConfigParams) (*responses.Envelope, error) {
	const example = `for example {"action":"set","key":"max_bytes","value":"20000"}; config(show) lists all`
	switch {
	case p.Key == "":
		return nil, missing("key", "config(set) needs key, the setting to change", example)
	case p.Value == "":
		return nil, missing("value", "config(set) needs value", example)
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
func (h *Handlers) environment() *responses.Envelope {
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
	}
}

// capabilities says what the session's adapter can do, and what is supplied for it.
func (h *Handlers) capabilities(c *Call, p *tools.ConfigParams) (*responses.Envelope, error) {
	list, who, err := h.powers(c.Session, p.Language)
	if err != nil {
		return nil, err
	}
	return &responses.Envelope{Success: true, Summary: "what can be done with " + who, Data: &responses.Config{Capabilities: capabilities(list)}}, nil
}
