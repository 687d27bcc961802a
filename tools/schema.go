package tools

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf writes the JSON schema of an object with these fields. It uses the
// plainest words of JSON Schema only: clients differ in what they understand,
// and a nullable array makes some of them send broken arguments. Objects are not
// closed, because some clients' converters refuse that word; names that are not
// among the properties are refused when the arguments are decoded.
func schemaOf(fields []*field) json.RawMessage {
	text, err := json.Marshal(objectSchema(fields))
	if err != nil {
		panic("tools: schema: " + err.Error()) // plain structs always marshal
	}
	return text
}

func objectSchema(fields []*field) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for _, f := range fields {
		if f.list == "no" {
			continue
		}
		s.Properties[f.name] = f.schema()
		s.PropertyOrder = append(s.PropertyOrder, f.name)
		if f.required {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// schema describes one parameter.
func (f *field) schema() *jsonschema.Schema {
	s := typeSchema(f.typ)
	s.Description = f.doc
	limited := s // the schema that enum belongs to: the elements of a list
	if s.Items != nil {
		limited = s.Items
	}
	for _, v := range f.enum {
		limited.Enum = append(limited.Enum, v)
	}
	switch f.list {
	case "type":
		return s
	case "flat":
		if s.Items == nil {
			return &jsonschema.Schema{Type: "object", Description: f.doc}
		}
		s.Items = &jsonschema.Schema{Type: "object"}
	}
	if f.list != "bare" && (f.max != nil || f.min != nil && *f.min > 1) { // that counts begin at 0 or 1 needs no telling
		s.Minimum, s.Maximum = float(f.min), float(f.max)
	}
	if f.def != "" {
		s.Default = f.defaultJSON()
	}
	return s
}

// typeSchema describes a Go type.
func typeSchema(typ reflect.Type) *jsonschema.Schema {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case typ == rawType:
		return &jsonschema.Schema{Type: "object"}
	case typ.Kind() == reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: typeSchema(typ.Elem())}
	case typ.Kind() == reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: typeSchema(typ.Elem())}
	case typ.Kind() == reflect.Struct:
		return objectSchema(fieldsOf(typ))
	}
	return &jsonschema.Schema{Type: kind(typ)}
}

// defaultJSON is the default as it is written in JSON: bare for numbers and
// booleans, quoted for text.
func (f *field) defaultJSON() json.RawMessage {
	if kind(f.typ) != "string" {
		return json.RawMessage(f.def)
	}
	text, _ := json.Marshal(f.def)
	return text
}

func float(n *int64) *float64 {
	if n == nil {
		return nil
	}
	f := float64(*n)
	return &f
}
