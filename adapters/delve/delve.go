package delve

import (
	"cmp"
	"log/slog"
	"os"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/bench"
	projects "aidb-mcp/adapters/delve/project"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// Options configure the adapter; the zero value is usable.
type Options struct {
	Executable   string        // our own binary, for re-execution; empty is the one that runs
	Log          *slog.Logger  // nil is slog's default
	BuildTimeout time.Duration // limit of one build; 0 is 300 s
	Root         *process.Root // where programs are built; nil is one of its own
	Kept         string        // a directory of our own for what was built before; empty: nothing is kept
}

// New returns the adapter for Go.
func New(o Options) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	o.BuildTimeout = cmp.Or(o.BuildTimeout, 300*time.Second)
	return &adapter{Options: o}
}

type adapter struct {
	Options
	ahead ahead
}

func (*adapter) Info() adapters.Info {
	return adapters.Info{
		Language:   "go",
		Editors:    adapters.Editors{VSCode: "go", VSCodeMode: "remote", Zed: "Delve"},
		Aliases:    []string{"golang"},
		Name:       "Delve",
		Extensions: []string{".go"},
		Traces:     true,
		Reads:      reads,
		Parts:      exprsyntax.Go.Parts,
		Comment:    "//",
		Failures:   failureSyntax,
		Statements: &exprsyntax.Go,
		Sample:     sample,
		Project:    &projects.Support,
		Bench:      bench.Set,
		Modes: []adapters.Mode{
			adapters.Launch, adapters.Test, adapters.Exec, adapters.Core, adapters.Attach, adapters.RemoteAttach,
		},
	}
}

// command is the hidden command of the adapter's process.
const command = "dap-go"

// Reexec must be called at the top of main, and of each TestMain whose tests
// debug: when this process was started to be an adapter it does that work and
// never returns.
func Reexec() {
	if len(os.Args) >= 2 && os.Args[1] == command {
		os.Exit(serve.Main(os.Args[2:]))
	}
}
