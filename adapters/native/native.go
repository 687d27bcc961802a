package native

import (
	"cmp"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/native/bench"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/native/project/cpp"
	"aidb-mcp/adapters/native/project/rust"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// Options configure the adapter; the zero value is usable.
type Options struct {
	Log          *slog.Logger  // nil is slog's default
	Store        install.Store // where CodeLLDB is looked for; empty: the user's
	BuildTimeout time.Duration // limit of one build; 0 is 300 s
	Root         *process.Root // where scripts and temporary files lie; nil is one of its own
	Path         string        // where debuggers of the machine are looked for; empty: PATH
	Builds       string        // where programs and build trees of ours are kept; empty: build.CacheDir
	Within       string        // the only place where build trees of the user's are built in; empty: anywhere
	// Known are the languages whose files count as sources of a program; nil: C, C++ and Rust.
	Known func() workspace.Languages
}

// New returns the adapter for C and C++, or the one for Rust.
func New(o Options, lang build.Language) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	o.Store.Home = cmp.Or(o.Store.Home, install.Home())
	return &adapter{Options: o, lang: lang}
}

type adapter struct {
	Options
	lang     build.Language
	versions prepare.Versions // of debuggers
	fatal    fatalTypes
}

func (a *adapter) Info() adapters.Info {
	info := adapters.Info{
		Language:    "cpp",
		Editors:     adapters.Editors{VSCode: "lldb", Zed: "CodeLLDB"},
		Title:       "C++",
		Aliases:     []string{"c", "c++", "cxx"},
		LaunchTypes: []string{"cppdbg", "lldb", "lldb-dap", "codelldb", "gdb", "lldb-vscode", "cppvsdbg"},
		Name:        "LLDB or gdb",
		Reads:       exprsyntax.C.Reads,
		Parts:       exprsyntax.C.Parts,
		Comment:     "//",
		Failures:    failureSyntax,
		Statements:  &exprsyntax.C,
		Components:  components,
		Sample:      cppSample,
		Project:     &cpp.Support,
		Bench:       bench.CPP,
		Body:        exprsyntax.C.Body,
		Extensions:  []string{".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"},
		Traces:      true,
		Modes: []adapters.Mode{
			adapters.Launch, adapters.Test, adapters.Exec, adapters.Core, adapters.Attach, adapters.RemoteAttach,
		},
	}
	if a.lang == build.Rust {
		info.Language, info.Title, info.Aliases, info.Extensions = "rust", "Rust", []string{"rs"}, []string{".rs"}
		info.Reads, info.Parts, info.Body, info.Statements = exprsyntax.Rust.Reads, exprsyntax.Rust.Parts, exprsyntax.Rust.Body, &exprsyntax.Rust
		info.Sample, info.Bench, info.Project = rustSample, bench.Rust, &rust.Support
	}
	return info
}

// Claims is the word of those who know the sources.
func (a *adapter) Claims(r adapters.Request) int { return build.Claims(r, a.lang) }

// options are the adapter_options that are understood.
type options struct {
	Debugger     debuggerKind `json:"debugger"`       // codelldb, lldb-dap or gdb
	DebuggerPath string       `json:"debuggerPath"`   // its executable (CodeLLDB: its folder)
	InitCommands []string     `json:"initCommands"`   // of the debugger's own, before the program is loaded
	NoDebugInfo  bool         `json:"noDebugInfo"`    // a binary without debug information is fine
	Follow       bool         `json:"followChildren"` // all processes that the program starts are debugged; gdb only
}

const optionsExample = `{"debugger":"lldb-dap"}`
