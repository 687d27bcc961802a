package delve

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/source"
)

// readOptions reads adapter_options: Delve's own names, in camelCase or snake_case.
func readOptions(raw json.RawMessage) (o wire.Options, err error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return o, nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return o, fault.New(fault.InvalidParam, "adapter_options is not an object: %w", err).WithField("adapter_options").
			WithHint(`for example {"maxStringLen": 2000}`)
	}
	known := optionNames()
	named := make(map[string]json.RawMessage, len(given))
	for name, value := range given {
		canonical, ok := known[fold(name)]
		if !ok {
			return o, unknownOption(name, known)
		}
		named[canonical] = value
	}
	text, err := json.Marshal(named)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return o, fault.New(fault.InvalidParam, "adapter_options: %w", err).WithField("adapter_options").
			WithHint(`for example {"maxStringLen": 2000, "showPprofLabels": ["*"], "followExec": true}`)
	}
	return o, nil
}

// optionNames maps folded names to those of the JSON tags.
func optionNames() map[string]string {
	known := map[string]string{}
	for field := range reflect.TypeFor[wire.Options]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[fold(name)] = name
	}
	return known
}

func fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func unknownOption(name string, known map[string]string) error {
	all := sortedValues(known)
	f := fault.New(fault.InvalidParam, "Delve has no option %q", name).WithField("adapter_options")
	if like := source.Closest(name, all, 2); len(like) > 0 {
		return f.WithHint("did you mean %s?", strings.Join(like, " or "))
	}
	return f.WithHint("the options are %s", strings.Join(all, ", "))
}
