//go:build linux

package languages

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = `# What works in which language

Each line is a behaviour that one suite proves against the real adapter with a real program, through the built
server: **yes** is a test that passes. A number is the reason why an adapter cannot have it, given below the table;
the suite then proves that the tool says so. What it does with projects that others wrote stands at the end, under
[On real code](#on-real-code).
`

// documentation is the table of behaviours and languages, for people.
func documentation() string {
	var out strings.Builder
	out.WriteString(documentationHead)
	for _, g := range groups() {
		fmt.Fprintf(&out, "\n## %s\n\n| | %s |\n|---|%s\n", g.Title, strings.Join(headings(), " | "), strings.Repeat("---|", len(languages)))
		var notes notes
		for _, b := range g.Behaviours {
			fmt.Fprintf(&out, "| **%s**: %s |", b.Name, b.Sentence)
			for _, l := range languages {
				cell := "yes"
				if lack, lacks := l.Cannot[b.Name]; lacks {
					cell = fmt.Sprintf("no (%d)", notes.number(l, b.Name, lack.Why))
				}
				fmt.Fprintf(&out, " %s |", cell)
			}
			out.WriteString("\n")
		}
		out.WriteString(notes.String())
	}
	out.WriteString("\n")
	return out.String()
}

// notes are the reasons below a table; equal ones are told once.
type notes []note

type note struct {
	behaviour, why string
	languages      []string
}

// number is the number of a reason, which the language shares from now on.
func (n *notes) number(l *language, behaviour, why string) int {
	for i, known := range *n {
		if known.behaviour == behaviour && known.why == why {
			(*n)[i].languages = append(known.languages, l.heading())
			return i + 1
		}
	}
	*n = append(*n, note{behaviour, why, []string{l.heading()}})
	return len(*n)
}

func (n notes) String() string {
	var out strings.Builder
	for i, note := range n {
		if i == 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%d. %s: **%s**: %s.\n", i+1, strings.Join(note.languages, ", "), note.behaviour, note.why)
	}
	return out.String()
}

// heading tells languages apart, and adapters of the same language.
func (l *language) heading() string { return l.Title + " (" + l.Adapter + ")" }

func headings() []string {
	var all []string
	for _, l := range languages {
		all = append(all, l.heading())
	}
	return all
}

// docs/languages.md says what the table says.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	testkit.DocumentPart(t, "languages.md", "test/languages", documentation())
}
