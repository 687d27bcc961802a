package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/handlers"
	"aidb-mcp/internal/mcp/mcpserver"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/persons/page"
	"aidb-mcp/prompts"
	"aidb-mcp/resources"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

func newServeCommand(a *app) *cobra.Command {
	serve := &cobra.Command{
		Use:   "serve [--http ADDRESS [-- COMMAND...]]",
		Short: "Speak MCP on standard input and output (the default), or over HTTP",
		Args:  a.workerArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.isGateway() {
				return a.serveHTTP(cmd.Context(), cmd, args)
			}
			if isTerminal(a.stdin) {
				return explainRegistration(a.stdout)
			}
			return a.serve(cmd.Context())
		},
	}
	a.site.bindFlags(serve.Flags())
	a.bindTelemetry(serve.Flags())
	a.bindTarget(serve.Flags())
	serve.Flags().StringVar(&a.pageAddress, "page", "", "serve the page on which a person watches at this loopback `address`, from the start on; without a value at a port of its own (default: once session(show) asks for it). With --http: serve it there, and the value is the URL by which browsers reach this server")
	serve.Flags().Lookup("page").NoOptDefVal = page.AnyAddress
	serve.Flags().BoolVar(&a.joinSocket, "join-socket", false, "let editors join at a socket that only this user reaches, in place of a port: by aidb-mcp dap, or nvim-dap")
	return serve
}

// workerArgs lets only a gateway take a command.
func (a *app) workerArgs(cmd *cobra.Command, args []string) error {
	if a.site.address == "" {
		return cobra.NoArgs(cmd, args)
	}
	return nil
}

// How long the sessions have to end. After a signal everything must be over
// within a second; what is left then, the supervisors kill.
const (
	closeAfterSignal = 300 * time.Millisecond
	closeAfterEOF    = 3 * time.Second
	answerGrace      = 300 * time.Millisecond // for calls in flight
)

func (a *app) serve(ctx context.Context) error {
	var err error
	if a.policy, err = a.policy.Within(a.allowed); err != nil {
		return err
	}
	workspace, err := a.workspaceDir()
	if err != nil {
		return err
	}
	// A client that is gone must show as a failed write, not kill us before the
	// sessions are closed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	process.MarkOwn()
	go process.Sweep()

	target, err := a.targetNotice()
	if err != nil {
		return err
	}
	traces, err := a.telemetry(a.role(), false)
	if err != nil {
		return err
	}
	a.settings.Version = readVersion().Version
	registry := a.languages()
	sessions := session.NewManager(session.Options{
		Registry: registry, Limits: a.settings.Limits, Log: a.log, Trace: a.trace, Policy: a.policy, Mask: a.mask, Root: a.root,
		Environment: prepare.Environment, Spell: a.handles(),
	})
	doors := a.newDoors(sessions, registry)
	defer doors.close()
	kept := a.newAccount()
	calls := handlers.NewRegistry(handlers.Deps{
		Sessions: sessions, Adapters: registry, Setup: a.setup(registry), Workspace: workspace, Settings: &a.settings, Policy: a.policy, Mask: a.mask, Log: a.log,
		Account: kept.handler(), Trials: a.trials(), Memory: a.newAttempts(), Doors: doors,
	})
	doors.transcript = calls.Transcript
	if a.pageAddress != "" && a.worker == "" { // a gateway's log is no place for a link
		if err := doors.announcePage(a.stderr); err != nil {
			return err
		}
	}
	offered := calls.Tools()
	if a.machine != "" {
		offered = tools.Routed(offered)
	}
	err = mcpserver.Serve(ctx, mcpserver.Options{
		Version: a.settings.Version, Tools: offered, Calls: calls, Log: a.log, Grace: answerGrace,
		Notice: strings.TrimSpace(a.policy.String() + " " + target), Follow: a.asWorker(sessions), Journal: calls.Journal, Traces: traces,
		Peers:     a.hasPeers,
		Resources: resources.New(resources.Options{Sessions: sessions, Calls: calls, Usage: kept.reader(), Report: doors.readReport}),
		Views:     views{doors},
		Prompts: prompts.New(prompts.Options{
			Calls: calls, Sessions: sessions, Adapters: registry, Workspace: workspace, Policy: a.policy, Mask: a.mask,
		}),
	}, a.stdin, a.stdout)

	a.endServing(ctx, sessions, kept, traces)
	return err
}

// endServing ends the sessions, and writes what is left of the account and of traces.
func (a *app) endServing(ctx context.Context, sessions *session.Manager, kept *account, traces *telemetry.Telemetry) {
	limit, lastRows := closeAfterEOF, lastRowsAfterEOF
	if ctx.Err() != nil {
		limit, lastRows = closeAfterSignal, lastRowsAfterSignal
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	kept.close(ctx, lastRows, func() { sessions.Close(closing) })
	traces.Close(closing)
}

// handles spells the ids of our sessions as a gateway needs them, whose worker we are:
// its clients reach them from anywhere. Nil when nobody has started us.
func (a *app) handles() func(name string) string {
	if a.worker == "" || a.machine == "" {
		return nil
	}
	return func(name string) string { return handle.Mint(name, a.machine, a.worker).String() }
}

// asWorker tells the gateway that has started us of our sessions: what is lost
// when we crash, and whether we may be ended. Nil when nobody has.
func (a *app) asWorker(sessions *session.Manager) func(context.Context, mcpserver.Notify) {
	if a.worker == "" {
		return nil
	}
	return func(ctx context.Context, notify mcpserver.Notify) {
		before := []pool.Session{{}} // unlike any list
		changes := sessions.Changes()
		defer changes.End()
		for ok := true; ok; _, _, ok = changes.Wait(ctx) {
			now := []pool.Session{}
			for _, s := range sessions.List() {
				if _, status := s.Moment(); status != session.Terminated {
					now = append(now, pool.Session{ID: s.ID(), Language: s.Language(), Program: s.Target(), State: string(status), Since: s.StartedAt()})
				}
			}
			if !slices.Equal(now, before) {
				before = now
				notify(pool.SessionsChanged, pool.SessionsParams{Sessions: now})
			}
		}
	}
}

// workspaceDir is the directory that relative paths start from.
func (a *app) workspaceDir() (string, error) {
	dir, err := filepath.Abs(a.workspace) // of an empty path: the working directory
	if err != nil {
		return "", fmt.Errorf("finding the workspace: %w", err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("--workspace %s is not a directory", dir)
	}
	switch {
	case a.policy.Allows(dir):
		return dir, nil
	case a.workspace == "": // a client starts us anywhere
		return a.policy.First(), nil
	}
	return "", fmt.Errorf("--workspace %s lies outside of --allow-root %s", dir, &a.allowed)
}
