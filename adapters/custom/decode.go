package custom

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// decode reads an object into a struct, key by key, so that errors name the key
// and what is wanted there.
func decode(raw json.RawMessage, at string, into any) *fault.Error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return invalid(at, "an object")
	}
	target := reflect.ValueOf(into).Elem()
	known := map[string]reflect.StructField{}
	for field := range target.Type().Fields() {
		known[field.Tag.Get("json")] = field
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		field, ok := known[key]
		if !ok {
			return unknownKey(at, key, slices.Sorted(maps.Keys(known)))
		}
		if err := decodeField(given[key], at+"."+key, field, target.FieldByIndex(field.Index)); err != nil {
			return err
		}
	}
	return nil
}

func decodeField(raw json.RawMessage, at string, field reflect.StructField, value reflect.Value) *fault.Error {
	nested := field.Type
	if nested.Kind() == reflect.Pointer {
		nested = nested.Elem()
	}
	switch {
	case nested.Kind() == reflect.Struct:
		fresh := reflect.New(nested)
		if err := decode(raw, at, fresh.Interface()); err != nil {
			return err
		}
		if field.Type.Kind() == reflect.Struct {
			fresh = fresh.Elem()
		}
		value.Set(fresh)
		return nil
	case field.Type == reflect.TypeFor[json.RawMessage]():
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || object == nil {
			return invalid(at, field.Tag.Get("want"))
		}
	}
	if string(raw) == "null" || json.Unmarshal(raw, value.Addr().Interface()) != nil {
		return invalid(at, field.Tag.Get("want"))
	}
	return nil
}

func unknownKey(at, key string, known []string) *fault.Error {
	f := fault.New(fault.ConfigInvalid, "%s has no key %q", at, key).WithField(at + "." + key)
	if like := source.Closest(key, known, 1); len(like) > 0 {
		return f.WithHint("did you mean %s?", like[0])
	}
	return f.WithHint("the keys are %s", strings.Join(known, ", "))
}

// invalid says what a key must hold.
func invalid(at, wanted string) *fault.Error {
	return fault.New(fault.ConfigInvalid, "%s: want %s", at, wanted).WithField(at).
		WithHint("mend this key in the settings file and start the server again; docs/custom-adapters.md has tables that work")
}
