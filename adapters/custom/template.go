package custom

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/internal/text/pattern"
)

// placeholders are the names that may stand in a command or a template.
var placeholders = []string{
	"program", "args", "cwd", "env", "module", "test", "runtime", "workspace",
	"pid", "host", "port", "socket", "scratch", "stop_on_entry", "just_my_code",
}

var placeholder = pattern.New(`\$\{([^}]*)\}`)

// values are what the placeholders stand for in one start. What is not said is absent.
type values map[string]any

// mentions says whether a text, or the text of a template, has a placeholder.
func mentions(text, name string) bool {
	return strings.Contains(text, "${"+name+"}") || strings.Contains(text, "${"+name+":-")
}

// splitPlaceholder takes a placeholder apart: ${name}, or ${name:-what stands for it when it is absent}.
func splitPlaceholder(inner string) (name, otherwise string, has bool) {
	return strings.Cut(inner, ":-")
}

// checkText refuses unknown placeholders, and lists and objects inside of a text.
func checkText(at, text string) *fault.Error {
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		name, _, _ := splitPlaceholder(found[1])
		switch {
		case strings.HasPrefix(name, "env:"):
		case !slices.Contains(placeholders, name):
			f := fault.New(fault.ConfigInvalid, "%s: there is no ${%s}", at, name).WithField(at)
			if like := source.Closest(name, placeholders, 1); len(like) > 0 {
				return f.WithHint("did you mean ${%s}?", like[0])
			}
			return f.WithHint("there are ${%s} and ${env:NAME}", strings.Join(placeholders, "}, ${"))
		case (name == "args" || name == "env") && text != found[0]:
			return invalid(at, fmt.Sprintf("${%s} as a text of its own, since it stands for more than a text", name))
		}
	}
	return nil
}

// checkTree checks every text of a template.
func checkTree(at string, tree any) *fault.Error {
	switch node := tree.(type) {
	case string:
		return checkText(at, node)
	case []any:
		for i, element := range node {
			if err := checkTree(fmt.Sprintf("%s[%d]", at, i), element); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, member := range node {
			if err := checkTree(at+"."+key, member); err != nil {
				return err
			}
		}
	}
	return nil
}

// text fills in the placeholders of a text.
func (v values) text(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		value, ok := v.get(found[2 : len(found)-1])
		if !ok {
			return ""
		}
		return fmt.Sprint(value)
	})
}

// get is the value of what stands between the braces.
func (v values) get(inner string) (value any, ok bool) {
	name, otherwise, has := splitPlaceholder(inner)
	if variable, env := strings.CutPrefix(name, "env:"); env {
		value, ok = os.LookupEnv(variable)
	} else {
		value, ok = v[name]
	}
	if !ok && has {
		return otherwise, true
	}
	return value, ok
}

// command fills in a command: ${args} becomes as many words as it has, and a
// word that is nothing but an absent value is left out.
func (v values) command(words []string) []string {
	var out []string
	for _, word := range words {
		name, alone := solePlaceholder(word)
		value, ok := v.get(name)
		list, many := value.([]string)
		switch {
		case alone && !ok:
		case alone && many:
			out = append(out, list...)
		default:
			out = append(out, v.text(word))
		}
	}
	return out
}

// solePlaceholder is the placeholder that a text consists of.
func solePlaceholder(text string) (name string, ok bool) {
	m := placeholder.FindStringSubmatch(text)
	if m == nil || m[0] != text {
		return "", false
	}
	return m[1], true
}

// tree fills in a template: a text that is nothing but a placeholder takes the
// value with its type, and what is absent is left out.
func (v values) tree(node any) (filled any, present bool) {
	switch node := node.(type) {
	case string:
		if name, alone := solePlaceholder(node); alone {
			return v.get(name)
		}
		return v.text(node), true
	case []any:
		list := make([]any, 0, len(node))
		for _, element := range node {
			if x, ok := v.tree(element); ok {
				list = append(list, x)
			}
		}
		return list, true
	case map[string]any:
		object := make(map[string]any, len(node))
		for key, member := range node {
			if x, ok := v.tree(member); ok {
				object[key] = x
			}
		}
		return object, true
	}
	return node, true
}

// arguments fills in the template of a request; the user's own adapter_options
// win over what it says.
func (v values) arguments(template json.RawMessage, options json.RawMessage) (map[string]any, error) {
	tree, err := readTree(template)
	if err != nil {
		return nil, err
	}
	filled, _ := v.tree(tree)
	object, _ := filled.(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	if len(options) > 0 {
		if err := json.Unmarshal(options, &object); err != nil {
			return nil, fault.New(fault.InvalidParam, "adapter_options is not an object: %s", jsonwords.Why(err)).WithField("adapter_options").
				WithHint(`it holds arguments of the adapter's launch or attach request, for example {"name":"value"}`)
		}
	}
	return object, nil
}

// readTree keeps numbers as they are written.
func readTree(template json.RawMessage) (any, error) {
	if len(template) == 0 {
		return map[string]any{}, nil
	}
	d := json.NewDecoder(strings.NewReader(string(template)))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, fmt.Errorf("reading a template: %w", err)
	}
	return tree, nil
}
