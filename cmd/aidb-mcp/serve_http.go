package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/store"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/secret"
)

// site is what the flags say of serving many clients over HTTP.
type site struct {
	address    string
	tokenFile  string
	auditFile  string
	grantsFile string
	foreign    bool // another server is served, by its command
	cert, key  string
	insecure   bool
	hosts      []string
	origins    []string
	provider   gateway.Provider
	pool       pool.Options
	memory     int // MiB
	member     member
}

func (s *site) bindFlags(f *pflag.FlagSet) {
	f.StringVar(&s.address, "http", "", "serve many clients over HTTP at this `address`, host:port or unix:PATH, each with a process of its own; after \"--\" may stand another stdio MCP server's command")
	f.StringVar(&s.tokenFile, "token-file", "", "`file` with a name and a token on each line, for HTTP, or - for standard input (default: the token that aidb-mcp token shows)")
	f.StringVar(&s.grantsFile, "principals", "", "`file` with what each name may do over HTTP: folders, only looking, attaching, tools, processes, calls a minute; SIGHUP has it read again")
	f.StringVar(&s.cert, "tls-cert", "", "`file` with the certificate for HTTPS")
	f.StringVar(&s.key, "tls-key", "", "`file` with its key")
	f.BoolVar(&s.insecure, "insecure", false, "serve HTTP beyond this machine without TLS, all the same")
	f.StringArrayVar(&s.hosts, "allow-host", nil, "`name` by which clients may call this server, beside those of this machine; may be given several times")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "`origin` of web pages that may call this server; may be given several times")
	f.StringVar(&s.provider.Issuer, "oauth-issuer", "", "`URL` of an identity provider whose tokens are accepted, too")
	f.StringVar(&s.provider.Keys, "oauth-keys", "", "`URL` of its keys (JWKS)")
	f.StringVar(&s.provider.Resource, "oauth-resource", "", "`URL` of this server, for which its tokens must be meant")
	f.StringVar(&s.provider.Scope, "oauth-scope", "", "`scope` that they must have")
	s.member.bindGateway(f)
	s.bindPool(f)
	s.bindAudit(f)
}

func (s *site) bindAudit(f *pflag.FlagSet) {
	f.StringVar(&s.auditFile, "audit-log", "", "`file` to which each act is appended that others ask for: who, what, where, when, with masked arguments, and what came of it; SIGHUP opens it again")
}

// bindPool binds what the workers on this machine are held to.
func (s *site) bindPool(f *pflag.FlagSet) {
	f.Var(number{&s.pool.Workers, 1, 10_000}, "workers", fmt.Sprintf("processes at once, one for each client (default %d)", pool.DefaultWorkers))
	f.Var(number{&s.pool.Queue, 1, 10_000}, "worker-queue", fmt.Sprintf("calls that one of them may leave unanswered (default %d)", pool.DefaultQueue))
	f.Var(number{&s.pool.Restarts, 1, 1000}, "worker-restarts", fmt.Sprintf("crashes of a client's processes within %s, after which it gets none for as long (default %d)", pool.DefaultWindow, pool.DefaultRestarts))
	f.Var(number{&s.memory, 16, 1 << 20}, "worker-memory", fmt.Sprintf("MiB that one and all that it starts may need (default %d)", pool.DefaultMemory>>20))
	f.Var(limit(&s.pool.Idle), "worker-idle", fmt.Sprintf("time without a message after which one ends (default %s)", pool.DefaultIdle))
	s.pool.Keep = pool.DefaultKeep
	f.Var(&duration{&s.pool.Keep, 0, math.MaxInt64, `want a time with its unit, such as "10m", or 0s for none`}, "worker-keep", "time without a message after which the debug sessions of a client end that has ended its MCP session, but for connect, whose end with it; 0s: at once")
	f.Var(limit(&s.pool.Start), "worker-start-timeout", fmt.Sprintf("longest start of one (default %s)", pool.DefaultStart))
	f.Var(limit(&s.pool.Call), "call-timeout", fmt.Sprintf("longest call (default %s)", pool.DefaultCall))
}

// serveHTTP serves many clients until ctx ends.
func (a *app) serveHTTP(ctx context.Context, cmd *cobra.Command, command []string) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // from here on it ends nothing
	defer signal.Stop(hangups)
	s := &a.site
	s.foreign = len(command) > 0
	first, err := a.readRules()
	if err != nil {
		return err
	}
	l, err := s.listen(first)
	if err != nil {
		return err
	}
	defer l.Close()
	access, err := s.access(ctx, l, first)
	if err != nil {
		return err
	}
	o, err := a.poolOptions(cmd.Flags(), command)
	if err != nil {
		return err
	}
	pages, err := a.pages(l, first.certificate != nil, command)
	if err != nil {
		return err
	}
	acts, err := s.openAudit()
	if err != nil {
		return err
	}
	defer acts.Close()
	traces, err := a.telemetry("gateway", true)
	if err != nil {
		return err
	}
	settle()
	metrics, certificate, rates := gateway.NewTenantMetrics(), &certificate{}, &grants.Rates{}
	allowed := &grants.Current{}
	allowed.Renew(first.grants)
	o.Observe, o.For, o.Pages = metrics.Of(""), a.commands(o.Command, allowed), pages.ForWorkers()
	workers, own, err := a.workers(ctx, o, command, clusterParts{metrics, first, certificate, allowed, rates, pages, acts})
	if err != nil {
		return err
	}
	reachPages(pages, workers)
	defer push(traces, metrics)()
	server := &gateway.Server{
		Gateway: gateway.New(gateway.Options{Pool: workers, Access: access, Log: a.log, Audit: acts, Grants: allowed, Rates: rates, Traces: traces}),
		Pool:    workers, Access: access, Metrics: metrics, Grants: allowed, Pages: pages, Version: readVersion().Version, Log: a.log,
	}
	s.equip(server, own, certificate, first, allowed)
	go a.reload(ctx, hangups, func(r *rules) error { return readyFor(workers, r.grants) }, func(r *rules) {
		a.renew(r, server, own, certificate, allowed, acts)
		renew(workers)
	})
	a.announce(l, server.TLS != nil)
	return server.Serve(ctx, l)
}

// card describes this server, as the MCP registry does.
var card = gateway.Card{
	Name: "io.github.aidb-mcp/aidb-mcp", Title: "AI Debugger",
	Description: "A debugger for AI agents: diagnose, trace and step through programs over MCP",
}

// renew puts rules that were read again into force.
func (a *app) renew(r *rules, server *gateway.Server, own *pool.Pool, certificate *certificate, allowed *grants.Current, acts *audit.Log) {
	certificate.current.Store(r.certificate)
	allowed.Renew(r.grants)
	server.Renew(r.Rules)
	if own != nil {
		own.Renew()
	}
	if err := acts.Reopen(); err != nil {
		a.log.Error("the audit log goes on where it was", "error", err)
	}
}

// equip gives the server what only some have: TLS, an identity provider, a pool of its own.
func (s *site) equip(server *gateway.Server, own *pool.Pool, c *certificate, first *rules, allowed *grants.Current) {
	server.Operator = func(principal string) bool {
		return allowed.Of(principal).Operator || s.tokenFile == "" && s.provider.Issuer == "" && s.grantsFile == "" // only this user has a token then
	}
	if own != nil {
		server.Stir = own.Stir
	}
	if !s.foreign {
		server.Card = card
	}
	if first.certificate != nil {
		server.TLS = c.config(first.certificate)
	}
	if s.provider.Issuer != "" {
		server.Provider = &s.provider
	}
}

// settle closes this process to programs of the same user, and ends what servers have left
// that were killed.
func settle() {
	process.Conceal()
	process.MarkOwn()
	go process.Sweep()
}

// listen opens the address, which other machines reach only with TLS.
func (s *site) listen(r *rules) (net.Listener, error) {
	l, err := gateway.Listen(s.address)
	if err != nil {
		return nil, fmt.Errorf("listening at %s: %w", s.address, err)
	}
	if !gateway.IsLoopback(l) && r.certificate == nil && !s.insecure {
		l.Close()
		return nil, fmt.Errorf("%s can be reached from other machines: give --tls-cert and --tls-key, or --insecure if something in front of it encrypts", s.address)
	}
	return l, nil
}

// poolOptions says how the workers on this machine are started: as this binary's own serve, or by the command
// of another server.
func (a *app) poolOptions(flags *pflag.FlagSet, command []string) (pool.Options, error) {
	o := a.site.pool
	if o.Keep == 0 {
		o.Keep = -1 // to the pool zero is the default
	}
	o.Dir, o.Env, o.Log, o.Memory = a.workspace, workerEnvironment(), a.log, int64(a.site.memory)<<20
	if o.Command = command; len(command) > 0 {
		return o, nil
	}
	if store.IsShared(a.store) { // where no list of processes shows its password
		o.Env = append(o.Env, variable("store")+"="+a.store)
	}
	var err error
	o.Command, err = workerCommand(flags, a.site.member.where != "")
	return o, err
}

// workers are what clients are put to, and the pool of this machine, if it has one.
func (a *app) workers(ctx context.Context, o pool.Options, command []string, g clusterParts) (pool.Workers, *pool.Pool, error) {
	m := &a.site.member
	if m.where == "" {
		own := pool.New(o)
		g.metrics.Of("").Watch(own.Status)
		return own, own, nil
	}
	if m.where != embedded && len(command) > 0 {
		return nil, nil, errors.New("the command behind \"--\" is for aidb-mcp worker on the machines: this gateway of --cluster has no workers")
	}
	return a.cluster(ctx, o, g)
}

// openAudit opens the record of acts, nil if none is kept. Secrets are not shown there,
// whatever the replies show.
func (s *site) openAudit() (*audit.Log, error) {
	if s.auditFile == "" {
		return nil, nil
	}
	return audit.Open(s.auditFile, secret.New(os.Environ()).JSON)
}

// announce says where the server is, for people and for scripts that wait for it.
func (a *app) announce(l net.Listener, encrypted bool) {
	where := "unix:" + l.Addr().String()
	if l.Addr().Network() != "unix" {
		where = "http://" + l.Addr().String() + gateway.Path
		if encrypted {
			where = "https" + strings.TrimPrefix(where, "http")
		}
	}
	fmt.Fprintln(a.stderr, "aidb-mcp serves", where)
}

// access says who may come in, from where.
func (s *site) access(ctx context.Context, l net.Listener, r *rules) (*gateway.Access, error) {
	access := &gateway.Access{Loopback: gateway.IsLoopback(l)}
	if l.Addr().Network() == "unix" {
		access.Loopback = false // no web page calls a socket
	}
	access.Renew(r.Rules)
	p := s.provider
	if p == (gateway.Provider{}) {
		return access, nil
	}
	if p.Issuer == "" || p.Keys == "" || p.Resource == "" {
		return nil, errors.New("an identity provider needs --oauth-issuer, --oauth-keys and --oauth-resource")
	}
	access.Verify = gateway.NewVerifier(ctx, p)
	access.Metadata = strings.TrimSuffix(p.Resource, gateway.Path) + gateway.MetadataPath
	return access, nil
}

// localToken is the token of this user's own server.
func localToken() (string, error) {
	home := install.Home()
	if home == "" {
		return "", errors.New("there is no home directory to keep the token in: set AIDB_HOME, or give --token-file")
	}
	return gateway.LocalToken(filepath.Join(home, "token"))
}

// ours are the flags of the gateway itself, which its workers are not given.
var ours = []string{
	"http", "token-file", "principals", "audit-log", "tls-cert", "tls-key", "insecure", "allow-host", "allow-origin",
	"oauth-issuer", "oauth-keys", "oauth-resource", "oauth-scope",
	"workers", "worker-queue", "worker-restarts", "worker-memory", "worker-idle", "worker-keep", "worker-start-timeout", "call-timeout",
	"log-file", "page",
	"cluster", "cluster-listen", "cluster-gateway-only", "name", "label", "join-token-file", "tls-ca", "join",
}

// hereWorkspace is the flag of a worker that works where it is started, whatever variables and
// the settings file say.
const hereWorkspace = "--workspace="

// workerCommand is this binary's own serve, with the flags that were given. Of a cluster each
// worker is started in one of several workspaces, which have names that it does not know.
func workerCommand(flags *pflag.FlagSet, ofCluster bool) ([]string, error) {
	self, err := process.Executable()
	if err != nil {
		return nil, err
	}
	command := []string{self, "serve"}
	if ofCluster {
		command = append(command, hereWorkspace)
	}
	flags.Visit(func(f *pflag.Flag) {
		if ofCluster && f.Name == "workspace" {
			return
		}
		if slices.Contains(ours, f.Name) || f.Name == "store" && store.IsShared(f.Value.String()) {
			return
		}
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, value := range values {
			command = append(command, "--"+f.Name+"="+value)
		}
	})
	return command, nil
}

// workerEnvironment is ours without what is the gateway's alone: its tokens are
// not for the programs that are debugged.
func workerEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return name == "AIDB_TOKEN" || slices.ContainsFunc(ours, func(flag string) bool { return variable(flag) == name })
	})
}
