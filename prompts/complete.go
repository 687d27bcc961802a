package prompts

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Complete are values for an argument that begin with, or else hold, what was typed.
// Given are those that are filled in already: tests are those of the target.
func (b *Book) Complete(_ context.Context, name, argument, typed string, given map[string]string) []string {
	i := slices.IndexFunc(all, func(p Prompt) bool { return p.Name == name })
	if i < 0 || !slices.ContainsFunc(all[i].Arguments, func(a Argument) bool { return a.Name == argument }) {
		return nil
	}
	var values []string
	switch argument {
	case "language":
		values = b.languages()
	case "session_id":
		for _, s := range slices.Backward(b.o.Sessions.List()) {
			values = append(values, s.ID())
		}
	case "target":
		values = b.targets(name, given)
	case "test":
		values = b.testNames(given)
	}
	return matchingValues(values, typed)
}

// languages are those that can be debugged, those of this workspace first.
func (b *Book) languages() []string {
	var list []string
	for _, l := range b.project().Languages {
		if a := b.o.Adapters.Get(l.Name); a != nil {
			list = append(list, a.Info().Language)
		}
	}
	return append(list, b.o.Adapters.Languages()...)
}

// targets are the suites or programs of the workspace.
func (b *Book) targets(prompt string, given map[string]string) []string {
	var list []string
	language := given["language"]
	wants := func(l string) bool { return language == "" || b.languageMatcher(language)(l) }
	if prompt == "debug_failing_test" {
		for _, s := range b.project().Tests {
			if wants(s.Language) && (given["test"] == "" || slices.Contains(s.Names, given["test"])) {
				list = append(list, relativeTarget(cmp.Or(s.Target, s.Path)))
			}
		}
		return list
	}
	for _, p := range b.project().Programs {
		if wants(p.Language) {
			list = append(list, relativeTarget(cmp.Or(p.Target, p.Path)))
		}
	}
	return list
}

// testNames are the tests of the target, or of all.
func (b *Book) testNames(given map[string]string) []string {
	var list []string
	target, language := given["target"], given["language"]
	for _, s := range b.project().Tests {
		if target != "" && relativeTarget(target) != relativeTarget(cmp.Or(s.Target, s.Path)) || language != "" && !b.languageMatcher(language)(s.Language) {
			continue
		}
		list = append(list, s.Names...)
	}
	return list
}

// matchingValues keeps what fits, each once: what begins with the typed text comes first.
func matchingValues(values []string, typed string) []string {
	var begin, hold []string
	typed = strings.ToLower(typed)
	for _, v := range values {
		lower := strings.ToLower(v)
		switch {
		case slices.Contains(begin, v) || slices.Contains(hold, v):
		case strings.HasPrefix(lower, typed):
			begin = append(begin, v)
		case strings.Contains(lower, typed):
			hold = append(hold, v)
		}
	}
	return append(begin, hold...)
}
