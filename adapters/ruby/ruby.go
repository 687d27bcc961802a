package ruby

import (
	"cmp"
	"log/slog"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/ruby/bench"
	"aidb-mcp/adapters/ruby/project"
	"aidb-mcp/adapters/ruby/statements"
	"aidb-mcp/internal/system/process"
)

// Options configure the adapter.
type Options struct {
	Log  *slog.Logger  // nil is slog's default
	Root *process.Root // where the sessions' directories lie; nil is one of its own
}

// New returns the adapter for Ruby.
func New(o Options) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	return &adapter{o}
}

type adapter struct{ Options }

const language = "ruby"

// installs brings Ruby and its debugger.
const installs = "install Ruby 3.1 or newer with its gem debug, which is rdbg: `apt-get install ruby` on Debian and Ubuntu, else `gem install debug`"

func (*adapter) Info() adapters.Info {
	return adapters.Info{
		Language:    language,
		Editors:     adapters.Editors{VSCode: "rdbg", Zed: "rdbg"},
		Aliases:     []string{"rb", "rdbg"},
		LaunchTypes: []string{"rdbg", "ruby_lsp"},
		LaunchOptions: map[string]string{
			"rubyArgs": "rubyArgs", "useBundler": "useBundler",
		},
		Name:       "rdbg",
		Reads:      statements.Reads,
		Parts:      statements.Parts,
		Statements: statements.Language{},
		Comment:    "#",
		Failures:   failureSyntax,
		Project:    &project.Support,
		Sample:     sample,
		Bench:      bench.Set,
		Extensions: []string{".rb"},
		Elsewhere:  installs,
		OneClient:  true,
		Modes:      []adapters.Mode{adapters.Launch, adapters.Test, adapters.RemoteAttach},
	}
}
