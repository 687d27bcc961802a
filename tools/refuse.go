package tools

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// wrongValueError refuses a value: the field, what came, what is wanted and an example.
func wrongValueError(v value, want, example string) *fault.Error {
	last := v.path[strings.LastIndexByte(v.path, '.')+1:]
	last, _, _ = strings.Cut(last, "[")
	return fault.New(fault.InvalidParam, "%s is %s, want %s", v.path, describe(v.raw), want).
		WithField(v.path).WithHint("for example {%q: %s}", last, example)
}

// misspeltError refuses a word that the enum does not have.
func misspeltError(v value, word string) *fault.Error {
	code := fault.InvalidParam
	if v.path == "action" {
		code = fault.InvalidAction
	}
	return fault.New(code, "%s is %s, want one of: %s", v.path, describe(v.raw), strings.Join(v.enum, ", ")).
		WithField(v.path).WithHint("%sfor example {%q: %q}", didYouMean(word, v.enum, nil), v.path, likeliest(word, v.enum))
}

// unknownError refuses a parameter that the tool, or the object at path, does not have.
func unknownError(tool, path, name string, fields []*field) *fault.Error {
	owner := tool
	if path != "" {
		owner = path
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	refused := fault.New(fault.UnknownParam, "%s has no parameter %q", owner, name).WithField(join(path, name))
	if path == "" && slices.Contains(names, "start") && isStartParam(name) {
		return refused.WithHint("session_start has it, so it goes into start: {\"start\": {%q: …}}", name)
	}
	return refused.WithHint("%s%s takes: %s", didYouMean(name, names, otherNames[fold(name)]), owner, strings.Join(names, ", "))
}

func isStartParam(name string) bool {
	return slices.ContainsFunc(fieldsOf(reflect.TypeFor[SessionStartParams]()), func(f *field) bool { return f.name == name })
}

// missingError refuses a call without a parameter that it needs.
func missingError(tool, path string, f *field) *fault.Error {
	example := `"…"`
	if f.name == "location" {
		example = `"main.go:42"`
	}
	what := ""
	if f.doc != "" {
		what = fmt.Sprintf(" (%s)", f.doc)
	}
	return fault.New(fault.MissingParam, "%s needs %s%s", tool, path, what).
		WithField(path).WithHint("for example {%q: %s}", f.name, example)
}

// withPath adds where a text stood to what its parser says of it.
func withPath(path string, err error) error {
	if _, ours := errors.AsType[*fault.Error](err); !ours {
		return fault.New(fault.InvalidParam, "%s: %w", path, err).WithField(path)
	}
	return fault.Changed(err, func(f *fault.Error) { f.Message, f.Field = path+": "+f.Message, path })
}

// didYouMean names what the word may be a slip of or another name for, as the
// beginning of a hint; it is empty when nothing comes near.
func didYouMean(word string, names, others []string) string {
	guesses := source.Closest(word, names, 2)
	for _, other := range others {
		if slices.Contains(names, other) && !slices.Contains(guesses, other) {
			guesses = append(guesses, other)
		}
	}
	if len(guesses) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(guesses, " or ") + "? "
}

func likeliest(word string, enum []string) string {
	if guesses := source.Closest(word, enum, 1); len(guesses) > 0 {
		return guesses[0]
	}
	return enum[0]
}
