//go:build linux

package languages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = `# What works in which language

Look up here whether a feature works in your language. Everything on this page works in all of these languages and adapters,
except what the first table lists:

%s.

Each line is a test that runs the built server, a real program and the real adapter. For an exception the test checks
that the reply says so. [Questions about how](#questions-about-how) and [What went wrong](#what-went-wrong) name their own
exceptions. [On real code](#on-real-code) lists tests with well-known projects.

## The exceptions

| feature | does not work with | because |
|---|---|---|
`

// documentation is the table of behaviours and languages, for people: what some
// language cannot have, then what all others can.
func documentation() string {
	var exceptions, rest strings.Builder
	for _, g := range groups() {
		fmt.Fprintf(&rest, "\n## %s\n\n", g.Title)
		for _, b := range g.Behaviours {
			lacks := lacksOf(b.Name)
			for _, l := range lacks {
				fmt.Fprintf(&exceptions, "| %s | %s | %s |\n", b.Name, called(l.languages), l.why)
			}
			fmt.Fprintf(&rest, "- **%s**: %s%s\n", b.Name, b.Sentence, butNot(lacks))
		}
	}
	var all []string
	for _, l := range languages {
		all = append(all, "- "+l.heading())
	}
	return fmt.Sprintf(documentationHead, strings.Join(all, "\n")) + exceptions.String() + rest.String() + "\n"
}

// lack is why some languages cannot have a behaviour.
type lack struct {
	why       string
	languages []*language
}

// lacksOf are the reasons for one behaviour; equal ones are told once.
func lacksOf(behaviour string) (list []lack) {
	for _, l := range languages {
		reason, lacks := l.Cannot[behaviour]
		if !lacks {
			continue
		}
		same := slices.IndexFunc(list, func(known lack) bool { return known.why == reason.Why })
		if same < 0 {
			list = append(list, lack{why: reason.Why})
			same = len(list) - 1
		}
		list[same].languages = append(list[same].languages, l)
	}
	return list
}

func butNot(lacks []lack) string {
	if len(lacks) == 0 {
		return ""
	}
	var all []*language
	for _, l := range lacks {
		all = append(all, l.languages...)
	}
	return " Not with " + called(all) + "."
}

// called names languages, and the adapter only where another one can.
func called(list []*language) string {
	var names []string
	for _, l := range list {
		name := l.Title
		other := func(o *language) bool { return o.Title == l.Title && !slices.Contains(list, o) }
		if slices.ContainsFunc(languages, other) {
			name = l.heading()
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// heading tells languages apart, and adapters of the same language.
func (l *language) heading() string { return l.Title + " (" + l.Adapter + ")" }

// docs/languages.md says what the table says.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	testkit.DocumentPart(t, "languages.md", "test/languages", documentation())
}
