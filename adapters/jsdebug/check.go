package jsdebug

import (
	"cmp"
	"context"
	"os"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/project/nodejs"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// Check looks at js-debug and at the Node.js of PATH, which runs it.
func (a *adapter) Check(ctx context.Context) adapters.Readiness {
	version, _ := a.Store.Installed(component)
	ready := adapters.Readiness{Version: version, Path: a.Store.Dir(component)}
	if err := a.needAdapter(); err != nil {
		ready.Path, ready.Absent = "", fault.Is(err, fault.AdapterNotFound)
		ready.Problem, ready.Remedy = plainError(err)
		return ready
	}
	path := cmp.Or(prepare.Command(os.Getenv("PATH"), "node"), nodejs.Find(""))
	if path == "" {
		ready.Problem, ready.Remedy = "there is no node in PATH: only programs with runtime_path can be debugged", installNode
		return ready
	}
	n, err := a.ask(ctx, path, os.Environ())
	if err != nil {
		ready.Problem, ready.Remedy = plainError(err)
		return ready
	}
	ready.Ready = true
	ready.Version += ", node " + n.version.String()
	return ready
}
