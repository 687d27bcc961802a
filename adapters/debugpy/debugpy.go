package debugpy

import (
	"cmp"
	"log/slog"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/bench"
	projects "aidb-mcp/adapters/debugpy/project"
	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// Options configure the adapter.
type Options struct {
	Log   *slog.Logger  // nil is slog's default
	Root  *process.Root // where the adapters' sockets lie; nil is one of its own
	Store install.Store
}

// New returns the adapter for Python.
func New(o Options) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	return &adapter{o}
}

type adapter struct{ Options }

const (
	language  = "python"
	component = "debugpy" // in the store
)

func (*adapter) Info() adapters.Info {
	return adapters.Info{
		Language: language,
		Editors:  adapters.Editors{VSCode: "debugpy", Zed: "Debugpy"},
		Aliases:  []string{"py", "python3", "debugpy"},
		LaunchOptions: map[string]string{
			"pythonArgs": "pythonArgs", "subProcess": "subProcess", "django": "django", "jinja": "jinja", "flask": "flask",
			"gevent": "gevent", "autoReload": "autoReload", "showReturnValue": "showReturnValue",
		},
		Name:       "debugpy",
		Reads:      exprsyntax.Python.Reads,
		Effects:    exprsyntax.Python.Effects,
		Parts:      exprsyntax.Python.Parts,
		Comment:    "#",
		Failures:   failureSyntax,
		Statements: &exprsyntax.Python,
		Components: components,
		Sample:     sample,
		Project:    &projects.Support,
		Bench:      bench.Set,
		Extensions: []string{".py", ".pyw"},
		Traces:     true,
		OneClient:  true,
		Modes:      []adapters.Mode{adapters.Launch, adapters.Test, adapters.Attach, adapters.RemoteAttach},
	}
}
