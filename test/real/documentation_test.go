//go:build linux

package real

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = `## On real code

One more suite debugs projects that others wrote, as their registries publish them, with the calls that an agent
would make there. What the debugger shows is compared with what the program itself prints, or what its test
framework reports, in a run without the debugger. The projects marked with a star are debugged at every change,
the others by ` + "`make test-real`" + `.

| Project | Language | Journey | Shows that |
|---|---|---|---|
`

// documentation is the table of projects and journeys, for people.
func documentation() string {
	var out strings.Builder
	out.WriteString(documentationHead)
	for _, p := range projects {
		title := p.Title
		if p.Small {
			title += " *"
		}
		language := p.Language
		for _, j := range p.Journeys {
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", title, language, j.Name, j.Shows)
			title, language = "", ""
		}
	}
	return out.String()
}

// docs/languages.md says what the table of projects says.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	testkit.DocumentPart(t, "languages.md", "test/real", documentation())
}
