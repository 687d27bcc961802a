package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/system/process"
)

func newWorkerCommand(a *app) *cobra.Command {
	var workspaces []string
	worker := &cobra.Command{
		Use:   "worker --join ADDRESS --workspace NAME=DIR... [-- COMMAND...]",
		Short: "Have this machine's workers serve the clients of a cluster",
		Long: "Have this machine debug for the clients of a cluster, in the workspaces that lie on it. It connects to the cluster's server by itself, and needs no open port.\n" +
			"A machine joins once, with a token of aidb-mcp cluster token; from then on it is known by a key of its own.",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, command []string) error {
			return a.serveCluster(cmd, workspaces, command)
		},
	}
	f := worker.Flags()
	f.StringVar(&a.site.member.where, "join", "", "`address` of the cluster's server, nats://HOST:PORT or tls://HOST:PORT; several with commas between them")
	f.StringArrayVar(&workspaces, "workspace", nil, "`NAME=DIR` of a directory to debug in, and what clients call it; may be given several times")
	f.BoolVar(&a.site.insecure, "insecure", false, "connect to another machine without TLS, all the same")
	a.site.member.bindFlags(f)
	a.site.bindPool(f)
	a.site.bindAudit(f)
	a.bindTelemetry(f)
	a.bindTarget(f)
	return worker
}

// serveCluster serves the clients of a cluster until ctx ends.
func (a *app) serveCluster(cmd *cobra.Command, texts, command []string) error {
	ctx, m := cmd.Context(), &a.site.member
	if m.where == "" {
		return errors.New("--join is missing: the address of the cluster's server, as aidb-mcp serve --cluster shows it")
	}
	is, dial, err := a.joining(texts)
	if err != nil {
		return err
	}
	o, err := a.machinePool(cmd.Flags(), command)
	if err != nil {
		return err
	}
	acts, err := a.site.openAudit()
	if err != nil {
		return err
	}
	defer acts.Close()
	traces, err := a.telemetry("machine", true)
	if err != nil {
		return err
	}
	metrics := gateway.NewMetrics()
	o.Observe = metrics
	pages, err := a.machinePages(&o, len(command) > 0)
	if err != nil {
		return err
	}
	process.Conceal()
	process.MarkOwn()
	go process.Sweep()

	ended := make(chan error, 1)
	dial.Refused = func(err error) { ended <- err }
	own := pool.New(o)
	metrics.Watch(own.Status)
	defer push(traces, metrics.Gatherer())()
	is.Pool, is.Pages, is.Audit, is.Fences = own, pages, acts, len(command) == 0
	is.Narrow = a.narrowing(o.Command, len(command) > 0)
	h := machine.New(is)
	defer a.reopenAtHangups(acts)()
	dial.Back = h.Back
	nc, err := span.Connect(dial)
	if err != nil {
		return err
	}
	if err := a.startWitness(ctx, dial, h.Epoch()); err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "aidb-mcp serves the cluster at %s as %s\n", m.where, is.Name)
	return h.ServeUntil(ctx, nc, ended)
}

// joining is what this machine is to its cluster, and how it connects.
func (a *app) joining(texts []string) (is machine.Options, dial span.Dial, err error) {
	is = machine.Options{Version: readVersion().Version, Log: a.log}
	if is.Workspaces, err = a.workspaces(texts); err != nil {
		return is, dial, err
	}
	if is.Name, err = a.site.member.nameOf(); err != nil {
		return is, dial, err
	}
	if is.Labels, err = a.site.member.labelled(); err != nil {
		return is, dial, err
	}
	if err := a.keepApart(); err != nil {
		return is, dial, err
	}
	dial, err = a.dial(&a.site.member, span.Machine, is.Name)
	return is, dial, err
}

// reopenAtHangups begins the record of acts anew at each SIGHUP, until stop. Without a record the signal
// ends this process, as it would any.
func (a *app) reopenAtHangups(acts *audit.Log) (stop func()) {
	if acts == nil {
		return func() {}
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	go func() { // ends with stop
		for range hangups {
			if err := acts.Reopen(); err != nil {
				a.log.Error("the audit log goes on where it was", "error", err)
			}
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(hangups)
	}
}

// machinePool are the options of a machine's pool, whose workers may ask other machines.
func (a *app) machinePool(flags *pflag.FlagSet, command []string) (pool.Options, error) {
	o, err := a.poolOptions(flags, command)
	offerPeers(&o, len(command) > 0)
	return o, err
}

// offerPeers tells our own workers that their gateway has other machines, which they may ask.
func offerPeers(o *pool.Options, foreign bool) {
	if !foreign {
		o.Env = append(slices.Clip(o.Env), pool.PeersVariable+"=1")
	}
}

// workspaces are those that are given, else that of the target.
func (a *app) workspaces(texts []string) ([]machine.Workspace, error) {
	if a.target == 0 || len(texts) > 0 {
		all, err := parseWorkspaces(texts)
		for _, w := range all {
			err = cmp.Or(err, a.checkWorkspace(w))
		}
		return all, err
	}
	one, err := a.targetWorkspace()
	return []machine.Workspace{one}, err
}

func parseWorkspaces(texts []string) (all []machine.Workspace, err error) {
	if len(texts) == 0 {
		return nil, errors.New("--workspace is missing: NAME=DIR of a directory to debug in")
	}
	names := map[string]bool{}
	for _, text := range texts {
		w, err := parseWorkspace(text)
		if err != nil {
			return nil, err
		}
		if names[w.Name] {
			return nil, fmt.Errorf("--workspace: two are called %s", w.Name)
		}
		names[w.Name] = true
		all = append(all, w)
	}
	return all, nil
}
