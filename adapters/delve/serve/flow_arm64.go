//go:build linux || darwin

package serve

import (
	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/ways"
)

// flowOf is not known of this machine's instructions: breakpoints stay where Delve puts them.
func flowOf([]proc.AsmInstruction) ways.Flow { return nil }
