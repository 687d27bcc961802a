package tools

import (
	"encoding/json"
	"reflect"
)

// Annotations are the hints of a tool, all four set on purpose. Clients run
// tools with ReadOnly at the same time.
type Annotations struct {
	ReadOnly    bool // changes neither the program nor the session
	Destructive bool // loses something: a value, a process
	Idempotent  bool // twice is the same as once
	OpenWorld   bool // runs code of the user's choice, or fetches something
}

// Definition is one tool as the agent sees it.
type Definition struct {
	Name        string
	Title       string
	Description string
	Annotations Annotations
	First       bool            // wanted before the others, by clients that load tools when they need them
	Schema      json.RawMessage // of the arguments, in the order of the struct

	params reflect.Type // the struct that the arguments are decoded into
	fields []*field
}

// All returns the tools in the order in which an agent meets them.
func All() []*Definition {
	return []*Definition{
		initTool(), sessionStartTool(),
		executeTool(), stepTool(), runUntilTool(), breakpointTool(),
		inspectTool(), variableTool(), diagnoseTool(), traceTool(), whyTool(), attemptTool(), sessionTool(),
		configTool(), contextTool(), adapterTool(),
	}
}

// define makes a definition; params is a pointer to the struct of the arguments.
func define(name, title, description string, a Annotations, params any) *Definition {
	typ := reflect.TypeOf(params).Elem()
	fields := fieldsOf(typ)
	return &Definition{
		Name: name, Title: title, Description: description, Annotations: a,
		Schema: schemaOf(fields),
		params: typ, fields: fields,
	}
}

// Action is what the decoded parameters ask the tool to do; empty for a tool
// that does one thing only.
func (d *Definition) Action(params any) string {
	if p, ok := params.(interface{ Subject() string }); ok {
		return p.Subject()
	}
	for _, f := range d.fields {
		if f.name == "action" || f.name == "target" && f.enum != nil {
			return reflect.ValueOf(params).Elem().FieldByIndex(f.index).String()
		}
	}
	return ""
}
