package caller

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tool is what the server says of a tool.
type Tool struct {
	Name   string
	About  string // its description
	Params []Param
}

// Param is a parameter of a tool.
type Param struct {
	Name   string
	Type   string // of JSON
	Values []string
	About  string
}

// Tools are those of the server, in its order.
func (c *Caller) Tools() []Tool { return c.tools }

// schema is what we read of a tool's input schema.
type schema struct {
	Properties map[string]struct {
		Type        string `json:"type"`
		Enum        []any  `json:"enum"`
		Description string `json:"description"`
	} `json:"properties"`
}

func (c *Caller) list(ctx context.Context) ([]Tool, error) {
	var found []Tool
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, fmt.Errorf("asking for the tools: %w", err)
		}
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			return nil, fmt.Errorf("reading the tool %s: %w", tool.Name, err)
		}
		var s schema
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("reading the tool %s: %w", tool.Name, err)
		}
		t := Tool{Name: tool.Name, About: tool.Description}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			p := s.Properties[name]
			param := Param{Name: name, Type: p.Type, About: p.Description}
			for _, value := range p.Enum {
				param.Values = append(param.Values, fmt.Sprint(value))
			}
			if p.Type == "boolean" {
				param.Values = []string{"true", "false"}
			}
			t.Params = append(t.Params, param)
		}
		found = append(found, t)
	}
	return found, nil
}

// Tool is the tool of a name.
func (c *Caller) Tool(name string) (Tool, bool) {
	i := slices.IndexFunc(c.tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return c.tools[i], true
}

// Names are those of the tools.
func (c *Caller) Names() []string {
	var names []string
	for _, t := range c.tools {
		names = append(names, t.Name)
	}
	return names
}

// Param is the parameter of a name.
func (t Tool) Param(name string) (Param, bool) {
	i := slices.IndexFunc(t.Params, func(p Param) bool { return p.Name == name })
	if i < 0 {
		return Param{}, false
	}
	return t.Params[i], true
}

// Help says what a tool does and what it takes.
func (t Tool) Help() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n%s\n", t.Name, strings.TrimSpace(t.About))
	for _, p := range t.Params {
		kind := p.Type
		if len(p.Values) > 0 {
			kind = strings.Join(p.Values, "|")
		}
		fmt.Fprintf(&out, "  %s=%s", p.Name, kind)
		if p.About != "" {
			fmt.Fprintf(&out, "  %s", p.About)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
