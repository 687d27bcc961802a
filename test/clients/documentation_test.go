//go:build linux

package clients

import (
	"fmt"
	"strings"
	"testing"

	"aidb-mcp/internal/testkit"
)

const documentationHead = `## Tested

| Client | Package | Version | Speaks | Its model is shown |
|---|---|---|---|---|
`

// docs/clients.md says what the table of clients and the lock files say.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString(documentationHead)
	for _, c := range clients {
		fmt.Fprintf(&table, "| %s | `%s` | %s | %s | %s |\n", c.Name, c.Package, c.version(t), c.Speaks, c.Sees)
	}
	testkit.DocumentPart(t, "clients.md", "test/clients", table.String())
}
