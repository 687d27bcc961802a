package prepare

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/jsonwords"
)

// Options reads adapter_options into a struct whose JSON tags are the adapter's
// own names; the user may write them in camelCase or snake_case. The adapter's
// name and an example are for the errors.
func Options(raw json.RawMessage, into any, adapter, example string) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return fault.New(fault.InvalidParam, "adapter_options is not an object: %s", jsonwords.Why(err)).WithField("adapter_options").
			WithHint("for example %s", example)
	}
	known := optionNames(reflect.TypeOf(into).Elem())
	named := make(map[string]json.RawMessage, len(given))
	for name, value := range given {
		canonical, ok := known[fold(name)]
		if !ok {
			return unknownOption(adapter, name, known)
		}
		named[canonical] = value
	}
	text, err := json.Marshal(named)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fault.New(fault.InvalidParam, "adapter_options: %s", jsonwords.Why(err)).WithField("adapter_options").
			WithHint("for example %s", example)
	}
	return nil
}

// optionNames maps folded names to those of the JSON tags.
func optionNames(t reflect.Type) map[string]string {
	known := map[string]string{}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			known[fold(name)] = name
		}
	}
	return known
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func unknownOption(adapter, name string, known map[string]string) error {
	all := slices.Sorted(maps.Values(known))
	f := fault.New(fault.InvalidParam, "%s has no option %q", adapter, name).WithField("adapter_options")
	if like := source.Closest(name, all, 2); len(like) > 0 {
		return f.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	return f.WithHint("the options are %s", strings.Join(all, ", "))
}
