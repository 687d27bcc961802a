//go:build linux

package benchmarks

import (
	"os"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = "## On programs of others\n\n" +
	"`make test-benchmarks` puts a first `diagnose` to programs that nobody here wrote: benchmarks and packages as their registries publish them,\n" +
	"most of them with a fault that a table of operators has planted and that their own tests, or a check of what they gave before, find.\n" +
	"What is true of each is found out without the debugger. A reply that says something false fails the test; the last run of all:\n\n"

// docs/languages.md says what the last run of all programs came to.
func TestDocumentation(t *testing.T) {
	table, err := os.ReadFile(scores)
	if err != nil {
		t.Fatal(err)
	}
	testkit.DocumentPart(t, "languages.md", "test/benchmarks", documentationHead+string(table))
}
