package tools

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
)

// Decode reads the arguments of a call into a new parameter struct of the tool
// and returns a pointer to it, with defaults filled in and values in range.
//
// It is lenient where the meaning is plain: "42" for 42, "true" for true, one
// string for a list of strings, a JSON text for an object or a list of objects,
// synonyms and any case for the words of an enum, null (or "" where that says
// nothing) for a parameter left out. All else is a *fault.Error that names the field, what came, what is wanted and an example.
//
// Numbers are read from their digits, never through a float64.
func (t Typed[P]) Decode(args json.RawMessage) (P, error) {
	p := t.fresh()
	if err := decodeInto(t.Name, args, t.fields, reflect.ValueOf(p).Elem()); err != nil {
		var none P
		return none, err
	}
	return p, nil
}

// Validate says why Decode would refuse the arguments; nil when it would not.
func (d *Definition) Validate(args json.RawMessage) error {
	return decodeInto(d.Name, args, d.fields, reflect.New(d.params).Elem())
}

// decodeInto reads arguments with these fields into a struct.
func decodeInto(tool string, args json.RawMessage, fields []*field, into reflect.Value) error {
	return decoder{tool}.object(value{raw: bytes.TrimSpace(args)}, fields, into)
}

// ofClients are parameters that a client adds to every tool of every server, for
// itself, and leaves in the arguments when it passes a call on: Gemini CLI's order
// among the calls of one turn.
var ofClients = []string{"wait_for_previous"}

// decoder decodes the arguments of one call.
type decoder struct{ tool string }

// value is one JSON value and where it stands.
type value struct {
	raw  json.RawMessage // without space around it
	path string          // "breakpoints[0].line"; empty for the arguments themselves
	// enum, min and max limit a plain value.
	enum     []string
	min, max *int64
}

func (v value) isMissing() bool { return len(v.raw) == 0 || string(v.raw) == "null" }

// text is the content of a JSON string, ok only if the value is one.
func (v value) text() (s string, ok bool) {
	ok = len(v.raw) > 0 && v.raw[0] == '"' && json.Unmarshal(v.raw, &s) == nil
	return s, ok
}

// unwrap turns a JSON text that holds an object or a list into what it holds.
func (v value) unwrap() value {
	if s, ok := v.text(); ok {
		inner := bytes.TrimSpace([]byte(s))
		if len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') && json.Valid(inner) {
			v.raw = inner
		}
	}
	return v
}

// any decodes a value of any parameter type.
func (d decoder) any(v value, into reflect.Value) error {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		return d.any(v, into.Elem())
	}
	switch {
	case into.Type() == rawType:
		return d.passThrough(v, into)
	case into.Type() == expressionType:
		return d.expression(v, into)
	case into.Type() == bodyType:
		body(v, into)
		return nil
	case into.Kind() == reflect.Struct:
		return d.structure(v, into)
	case into.Kind() == reflect.Slice:
		return d.list(v, into)
	case into.Kind() == reflect.Map:
		return d.dictionary(v, into)
	}
	return d.plain(v, into)
}

// structure decodes an object of a list, or the text that stands for one.
func (d decoder) structure(v value, into reflect.Value) error {
	v = v.unwrap()
	if s, ok := v.text(); ok {
		if t, ok := into.Addr().Interface().(encoding.TextUnmarshaler); ok {
			if err := t.UnmarshalText([]byte(s)); err != nil {
				return withPath(v.path, err)
			}
			return nil
		}
	}
	return d.object(v, fieldsOf(into.Type()), into)
}

// object decodes an object with these fields. Unknown names come first: a
// misspelt name explains a missing one.
func (d decoder) object(v value, fields []*field, into reflect.Value) error {
	given, err := d.members(v, fields)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if v.path == "" && slices.Contains(ofClients, name) {
			continue
		}
		if !slices.ContainsFunc(fields, func(f *field) bool { return f.name == name }) {
			return unknownError(d.tool, v.path, name, fields)
		}
	}
	for _, f := range fields {
		fv := value{raw: given[f.name], path: join(v.path, f.name), enum: f.enum, min: f.min, max: f.max}
		if fv.isMissing() || f.isBlank(fv) {
			if f.required {
				return missingError(d.tool, fv.path, f)
			}
			if f.def == "" {
				continue
			}
			fv.raw = f.defaultJSON()
		}
		if err := d.any(fv, into.FieldByIndex(f.index)); err != nil {
			return err
		}
	}
	return nil
}

// isBlank says whether the value is an empty text where a text cannot be empty:
// some models fill in every parameter that a tool has.
func (f *field) isBlank(v value) bool {
	return string(v.raw) == `""` && (kind(f.typ) != "string" || f.enum != nil || f.required)
}

// members splits an object with these fields into its members. A list of one object is
// that object.
func (d decoder) members(v value, fields []*field) (map[string]json.RawMessage, error) {
	v = v.unwrap()
	var only []json.RawMessage
	if v.path != "" && len(v.raw) > 0 && v.raw[0] == '[' && json.Unmarshal(v.raw, &only) == nil && len(only) == 1 {
		v.raw = only[0]
	}
	if v.isMissing() {
		return nil, nil
	}
	var given map[string]json.RawMessage
	if v.raw[0] != '{' || json.Unmarshal(v.raw, &given) != nil {
		if v.path == "" {
			return nil, fault.New(fault.InvalidParam, "the arguments of %s are %s, want an object", d.tool, describe(v.raw)).
				WithHint("for example {}")
		}
		return nil, wrongValueError(v, "an object", example(fields))
	}
	return given, nil
}

// example is an object with the first fields that it may have.
func example(fields []*field) string {
	if len(fields) == 0 {
		return `{"name": "value"}`
	}
	values := map[string]string{"string": `"…"`, "integer": "1", "boolean": "true", "array": "[]", "object": `{"name": "value"}`}
	var parts []string
	for _, f := range fields {
		if value, known := values[kind(f.typ)]; known && len(parts) < 2 {
			parts = append(parts, fmt.Sprintf("%q: %s", f.name, value))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// list decodes a list, or the one element that stands for it.
func (d decoder) list(v value, into reflect.Value) error {
	v = v.unwrap()
	if v.raw[0] != '[' {
		into.Set(reflect.MakeSlice(into.Type(), 1, 1))
		return d.any(v, into.Index(0))
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(v.raw, &elements); err != nil {
		return wrongValueError(v, "a list", "[]")
	}
	list := reflect.MakeSlice(into.Type(), len(elements), len(elements))
	for i, e := range elements {
		ev := value{raw: e, path: fmt.Sprintf("%s[%d]", v.path, i), enum: v.enum}
		if ev.isMissing() {
			return wrongValueError(ev, "a value", "[]")
		}
		if err := d.any(ev, list.Index(i)); err != nil {
			return err
		}
	}
	into.Set(list)
	return nil
}

// dictionary decodes names and texts: an object, or a list of "NAME=value".
func (d decoder) dictionary(v value, into reflect.Value) error {
	v = v.unwrap()
	dict := map[string]string{}
	if v.raw[0] == '[' || v.raw[0] == '"' {
		var pairs []string
		if err := d.list(v, reflect.ValueOf(&pairs).Elem()); err != nil {
			return err
		}
		for _, pair := range pairs {
			name, text, ok := strings.Cut(pair, "=")
			if !ok {
				return wrongValueError(v, "an object of texts", `{"NAME": "value"}`)
			}
			dict[name] = text
		}
		into.Set(reflect.ValueOf(dict))
		return nil
	}
	given, err := d.members(v, nil)
	if err != nil {
		return err
	}
	for name, raw := range given {
		var text string
		if err := d.plain(value{raw: raw, path: join(v.path, name)}, reflect.ValueOf(&text).Elem()); err != nil {
			return err
		}
		dict[name] = text
	}
	into.Set(reflect.ValueOf(dict))
	return nil
}

// passThrough keeps an object as it is, for the adapter.
func (d decoder) passThrough(v value, into reflect.Value) error {
	v = v.unwrap()
	if _, err := d.members(v, nil); err != nil {
		return err
	}
	into.SetBytes(slices.Clone(v.raw))
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
