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

// Typed is a definition that knows the type of its parameters; P points to their struct.
type Typed[P Params] struct {
	*Definition
	fresh func() P
}

// define makes a definition; T is the struct of the arguments.
func define[T any, P interface {
	*T
	Params
}](name, title, description string, a Annotations) Typed[P] {
	typ := reflect.TypeFor[T]()
	fields := fieldsOf(typ)
	return Typed[P]{
		Definition: &Definition{
			Name: name, Title: title, Description: description, Annotations: a,
			Schema: schemaOf(fields),
			params: typ, fields: fields,
		},
		fresh: func() P { return new(T) },
	}
}
