package java

import (
	"cmp"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/java/bench"
	projects "aidb-mcp/adapters/java/project"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// component is the folder of the store that the compiled bridge is kept in.
const component = "java-debug"

// Options configure the adapter.
type Options struct {
	Log          *slog.Logger // nil is slog's default
	Store        install.Store
	Root         *process.Root // where build tools' temporary files lie; nil is one of its own
	BuildTimeout time.Duration // limit of one build; 0 is 300 s
}

// New returns the adapter for Java.
func New(o Options) adapters.Adapter {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Root = cmp.Or(o.Root, process.NewRoot(o.Log))
	o.BuildTimeout = cmp.Or(o.BuildTimeout, 300*time.Second)
	return &adapter{o, places}
}

type adapter struct {
	Options
	places []string // patterns of where else a JDK may be
}

func (*adapter) Info() adapters.Info {
	return adapters.Info{
		Language:      "java",
		Editors:       adapters.Editors{VSCode: "java", Zed: "Java"},
		Aliases:       []string{"jvm", "jdk"},
		LaunchOptions: map[string]string{"vmArgs": "vmArgs[]", "classPaths": "classPath", "modulePaths": "modulePath"},
		Name:          "the JDK's debug interface",
		Reads:         exprsyntax.Java.Reads,
		Effects:       exprsyntax.Java.Effects,
		Parts:         exprsyntax.Java.Parts,
		Comment:       "//",
		Failures:      failureSyntax,
		Statements:    &exprsyntax.Java,
		Apart:         monitored,
		Components:    components,
		Sample:        sample,
		Project:       &projects.Support,
		Bench:         bench.Set,
		Body:          exprsyntax.Java.Body,
		Extensions:    []string{".java", ".jar", ".class"},
		Modes: []adapters.Mode{
			adapters.Launch, adapters.Test, adapters.Exec, adapters.Attach, adapters.RemoteAttach,
		},
	}
}
