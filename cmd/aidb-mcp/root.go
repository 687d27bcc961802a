package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/custom"
	"aidb-mcp/adapters/debugpy"
	"aidb-mcp/adapters/delve"
	"aidb-mcp/adapters/install"
	"aidb-mcp/adapters/java"
	"aidb-mcp/adapters/jsdebug"
	"aidb-mcp/adapters/native"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/ruby"
	"aidb-mcp/dap"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/store"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/persons/page"
)

// commands are the subcommands; a new one is a file of its own and a line here.
var commands = []func(*app) *cobra.Command{
	newServeCommand,
	newWorkerCommand,
	newWitnessCommand,
	newClusterCommand,
	newSetupCommand,
	newDemoCommand,
	newDoctorCommand,
	newAdaptersCommand,
	newToolsCommand,
	newConnectCommand,
	newCallCommand,
	newShellCommand,
	newDAPCommand,
	newReportCommand,
	newTokenCommand,
	newUsageCommand,
	newBenchCommand,
	newCheckCommand,
	newVersionCommand,
}

// app is what the subcommands share: the streams, and what the flags say.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	pageAddress    string      // of the page for persons; empty: none until it is asked for
	joinSocket     bool        // editors join at a socket, and at no port
	behind         page.Behind // where a gateway has a place for it
	args           []string    // of the command line

	workspace string
	logLevel  slog.Level
	logFile   string
	traceFile string
	otel      string // a collector's address, or byVariables; empty: nothing is exported
	settings  handlers.Settings

	tables       map[string]json.RawMessage // adapters that the user describes, by language
	settingsFile string                     // that has them
	settingsFrom string                     // the file of the settings, empty if there is none

	store   string // where the account is kept; empty: in the home
	noStore bool

	copies bool   // of the workspace are made for trials, whatever the system can do
	builds string // where native programs are built; empty: where the user's are
	within string // the only place where trees of the user's are built in; empty: anywhere

	policy      policy.Policy
	allowed     folders // that may be used; empty: all
	showSecrets bool
	mask        *secret.Masker // nil when secrets are shown

	rules     []string        // flags that a process of ours needs to be held to the same
	site      site            // of serving over HTTP
	target    int             // the process that this server is there for; 0: any
	handed    []gateway.Token // on standard input
	worker    string          // the name that the gateway has given us, whose worker we are; empty: nobody's
	principal string          // whom we work for then
	machine   string          // the name that its handles have for this machine
	hasPeers  bool            // it has other machines, which we may ask

	log     *slog.Logger  // set before any subcommand runs
	root    *process.Root // so is this; made when a session first needs it
	trace   *dap.Tracer   // nil unless asked for
	closers []io.Closer
}

func newRootCommand(a *app) *cobra.Command {
	serve := newServeCommand(a)
	root := &cobra.Command{
		Use:   "aidb-mcp",
		Short: "A debugger for AI agents, over MCP",
		Long: "aidb-mcp is an MCP server with which an AI agent debugs programs: breakpoints, steps, values, goroutines.\n" +
			"Without a command it serves MCP on standard input and output.",
		Version:           readVersion().Version,
		Args:              noSuchCommand,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
		RunE:              serve.RunE,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.bindFlags(root.PersistentFlags())
	for _, newCommand := range commands {
		root.AddCommand(newCommand(a))
	}
	explain(root)
	return root
}

// prepare reads the settings and opens the logs, before any subcommand.
func (a *app) prepare(cmd *cobra.Command) error {
	a.keepRules(cmd.Root().PersistentFlags())
	if err := a.readSettings(cmd.Flags()); err != nil {
		return err
	}
	if !a.showSecrets {
		a.mask = secret.New(os.Environ())
	}
	if err := a.openLog(); err != nil {
		return err
	}
	a.warnOfVariables(cmd.Flags())
	a.takeOrders()
	a.root = process.NewRoot(a.log)
	if !a.readsAgain() {
		endOnHangup(cmd)
	}
	return a.openTrace()
}

// isGateway says that this process serves many clients over HTTP.
func (a *app) isGateway() bool { return a.site.address != "" && a.worker == "" }

// readsAgain says that SIGHUP has this process read its rules again, as a gateway does, or open its
// audit log anew, as a machine that has one does. It ends all others.
func (a *app) readsAgain() bool {
	isMachine := a.site.member.where != "" && !a.isGateway()
	return a.isGateway() || isMachine && a.site.auditFile != ""
}

func endOnHangup(cmd *cobra.Command) {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // a second signal ends us at once
	cmd.SetContext(ctx)
}

// takeOrders reads what a gateway tells its worker. The programs that we start
// are no workers of it.
func (a *app) takeOrders() {
	a.worker, a.principal, a.machine = os.Getenv(pool.NameVariable), os.Getenv(pool.PrincipalVariable), os.Getenv(pool.MachineVariable)
	a.hasPeers = os.Getenv(pool.PeersVariable) != ""
	a.behind = page.Behind{Socket: os.Getenv(pool.PageSocketVariable), URL: os.Getenv(pool.PageAddressVariable)}
	for _, told := range []string{pool.NameVariable, pool.PrincipalVariable, pool.MachineVariable, pool.PeersVariable, pool.PageSocketVariable, pool.PageAddressVariable} {
		_ = os.Unsetenv(told)
	}
	if store.IsShared(a.store) { // it has a password, which is not for the programs either
		_ = os.Unsetenv(variable("store"))
	}
}

// registry holds the adapters of this build: a language is one line here.
func (a *app) registry() *adapters.Registry {
	store := install.Store{Home: install.Home()}
	var all *adapters.Registry
	known := func() workspace.Languages { return all.Projects() }
	all = adapters.NewRegistry(
		delve.New(delve.Options{Log: a.log, Root: a.root, Kept: store.Path("cache", "go"), BuildTimeout: a.settings.Limits.Build}),
		debugpy.New(debugpy.Options{Log: a.log, Root: a.root, Store: store}),
		java.New(java.Options{Log: a.log, Root: a.root, Store: store, BuildTimeout: a.settings.Limits.Build}),
		jsdebug.New(jsdebug.Options{Log: a.log, Root: a.root, Store: store}),
		native.New(native.Options{Log: a.log, Root: a.root, Store: store, BuildTimeout: a.settings.Limits.Build, Builds: a.builds, Within: a.within, Known: known}, build.CPP),
		native.New(native.Options{Log: a.log, Root: a.root, Store: store, BuildTimeout: a.settings.Limits.Build, Builds: a.builds, Within: a.within, Known: known}, build.Rust),
		ruby.New(ruby.Options{Log: a.log, Root: a.root}),
	)
	return all
}

// languages are the adapters of this build and those of the settings file.
func (a *app) languages() *adapters.Registry {
	built := a.registry()
	return built.With(custom.Load(a.tables, custom.Options{
		File: a.settingsFile, Log: a.log, Root: a.root, Taken: func(language string) bool { return built.Get(language) != nil },
	}))
}

func (a *app) close() error {
	var errs []error
	if a.root != nil {
		a.root.Close()
	}
	for _, c := range a.closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
