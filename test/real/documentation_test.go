//go:build linux

package real

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = `## On real code

These tests debug well-known projects, as their registries publish them, with the calls that an agent would make.
They compare what the debugger shows with what the program prints, or its test framework reports, in a run without
the debugger. Projects with a star are tested on every change, the others by ` + "`make test-real`" + `.

| Project | Language | Scenario | Shows that |
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
