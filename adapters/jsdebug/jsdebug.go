package jsdebug

import (
	"cmp"
	"log/slog"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/jsdebug/bench"
	projects "aidb-mcp/adapters/jsdebug/project"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// Options configure the adapter; Store is needed.
type Options struct {
	Log   *slog.Logger  // nil is slog's default
	Store install.Store // where js-debug is installed
	Root  *process.Root // where its sockets and files lie; nil is one of its own
}

// New returns the adapter for JavaScript and TypeScript.
func New(o Options) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	return &adapter{Options: o}
}

type adapter struct {
	Options
	versions prepare.Versions // of executables of node
}

// component is js-debug's name in the store.
const component = "js-debug"

func (*adapter) Info() adapters.Info {
	return adapters.Info{
		Language:    "javascript",
		Editors:     adapters.Editors{VSCode: "pwa-node", Zed: "JavaScript"},
		Title:       "JavaScript",
		Aliases:     []string{"js", "typescript", "ts", "node", "nodejs"},
		LaunchTypes: []string{"pwa-node", "node2", "node-terminal"},
		LaunchOptions: map[string]string{
			"runtimeArgs": "runtimeArgs", "skipFiles": "skipFiles", "outFiles": "outFiles", "sourceMaps": "sourceMaps",
			"sourceMapPathOverrides": "sourceMapPathOverrides", "resolveSourceMapLocations": "resolveSourceMapLocations",
			"autoAttachChildProcesses": "autoAttachChildProcesses", "smartStep": "smartStep",
		},
		Name:       "js-debug",
		Reads:      exprsyntax.JavaScript.Reads,
		Effects:    exprsyntax.JavaScript.Effects,
		Parts:      exprsyntax.JavaScript.Parts,
		Comment:    "//",
		Failures:   failureSyntax,
		Statements: &exprsyntax.JavaScript,
		Components: components,
		Sample:     sample,
		Project:    &projects.Support,
		Bench:      bench.Set,
		Above:      []string{"node_modules"},
		Body:       exprsyntax.JavaScript.Body,
		Extensions: append(append([]string{}, scripts...), typescript...),
		Modes:      []adapters.Mode{adapters.Launch, adapters.Test, adapters.Attach, adapters.RemoteAttach},
	}
}

// scripts and typescript are the extensions of the two; jsx is among the first
// because it is run in the same ways.
var (
	scripts    = []string{".js", ".mjs", ".cjs", ".jsx"}
	typescript = []string{".ts", ".mts", ".cts", ".tsx"}
)
