package shell

import (
	"slices"
	"strings"

	"aidb-mcp/internal/mcp/caller"
)

// complete says what the word before a cursor may become, and where it begins. It
// knows tools, parameters and their values, in both forms of arguments.
func complete(tools []caller.Tool, before string) (start int, choices []string) {
	name, rest, inArguments := strings.Cut(before, " ")
	if !inArguments || name == "help" {
		start = len(before) - len(strings.TrimLeft(rest, " "))
		if !inArguments {
			start = 0
		}
		var names []string
		for _, t := range tools {
			names = append(names, t.Name+" ")
		}
		if !inArguments {
			names = append(names, "help ", "tools", "transcript", "exit")
		}
		return start, withPrefix(names, before[start:])
	}
	i := slices.IndexFunc(tools, func(t caller.Tool) bool { return t.Name == name })
	if i < 0 {
		return len(before), nil
	}
	if strings.HasPrefix(strings.TrimSpace(rest), "{") {
		return completeJSON(tools[i], before)
	}
	start = strings.LastIndexAny(before, " \t") + 1
	word := before[start:]
	if param, value, ok := strings.Cut(word, "="); ok {
		p, _ := tools[i].Param(param)
		return len(before) - len(value), withPrefix(withEnd(p.Values, " "), value)
	}
	var names []string
	for _, p := range tools[i].Params {
		if !strings.Contains(rest, p.Name+"=") {
			names = append(names, p.Name+"=")
		}
		if p.Name == "action" && word == rest {
			names = append(names, withEnd(p.Values, " ")...)
		}
	}
	return start, withPrefix(names, word)
}

// completeJSON completes the text in an object that the cursor stands in: a name or a value.
func completeJSON(tool caller.Tool, before string) (start int, choices []string) {
	open := strings.LastIndexByte(before, '"')
	if open < 0 || strings.Count(before, `"`)%2 == 0 {
		return len(before), nil
	}
	start = open + 1
	ahead := strings.TrimSpace(before[:open])
	if name, ok := strings.CutSuffix(ahead, ":"); ok {
		name = strings.TrimSuffix(strings.TrimSpace(name), `"`)
		p, _ := tool.Param(name[strings.LastIndexByte(name, '"')+1:])
		return start, withPrefix(withEnd(p.Values, `"`), before[start:])
	}
	var names []string
	for _, p := range tool.Params {
		names = append(names, p.Name+`": `)
	}
	return start, withPrefix(names, before[start:])
}

func withEnd(values []string, end string) []string {
	var out []string
	for _, v := range values {
		out = append(out, v+end)
	}
	return out
}

// withPrefix gives those choices that begin with a word.
func withPrefix(choices []string, word string) []string {
	return slices.DeleteFunc(choices, func(c string) bool { return !strings.HasPrefix(c, word) })
}

// commonPrefix is what all choices begin with.
func commonPrefix(choices []string) string {
	if len(choices) == 0 {
		return ""
	}
	shared := choices[0]
	for _, c := range choices {
		for !strings.HasPrefix(c, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	return shared
}
