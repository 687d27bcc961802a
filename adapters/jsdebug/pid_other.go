//go:build !linux

package jsdebug

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/netstat"
)

// planAttach: a node opens its inspector when it is told to by a signal, and on
// which port it is cannot be found out everywhere.
func (*adapter) planAttach(context.Context, job) (*adapters.Plan, error) {
	return nil, fault.New(fault.NotSupported, "attaching to node by its process id works only on Linux").WithField("pid").
		WithHint("start the program with node --inspect=9230 and attach with port 9230")
}

// isOpenedByNode is asked of no socket where the system tells none.
func isOpenedByNode(netstat.Socket) bool { return false }
