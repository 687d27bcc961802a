package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nkeys"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aidb-mcp/adapters/install"
	"aidb-mcp/internal/cluster/engine"
	"aidb-mcp/internal/cluster/link"
	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// member is what the flags say of being in a cluster, for gateways and machines.
type member struct {
	where     string // the server's address, or embedded
	listen    string // of an embedded server
	alone     bool   // the gateway is no machine itself
	name      string
	labels    []string
	tokenFile string // of the join token
	ca        string
}

// embedded is a server in the gateway's own process.
const embedded = "embedded"

func (m *member) bindFlags(f *pflag.FlagSet) {
	f.StringVar(&m.name, "name", "", "`name` of this machine in the cluster (default: that of the host)")
	f.StringVar(&m.tokenFile, "join-token-file", "", "`file` with the token of aidb-mcp cluster token, with which this machine becomes a member, or - for standard input")
	f.StringVar(&m.ca, "tls-ca", "", "`file` with the certificate that has signed that of the cluster's server")
	f.StringArrayVar(&m.labels, "label", nil, "`KEY=VALUE` by which clients choose this machine; may be given several times")
}

func (m *member) bindGateway(f *pflag.FlagSet) {
	f.StringVar(&m.where, "cluster", "", "serve the workers of many machines: embedded for a cluster that this server begins, or the `address` of a NATS server, nats://… or tls://…, or of several with commas between them")
	f.StringVar(&m.listen, "cluster-listen", "127.0.0.1:4222", "`address` at which the embedded server listens for machines")
	f.BoolVar(&m.alone, "cluster-gateway-only", false, "have no workers on this machine; without it an embedded cluster's first machine is this one")
	m.bindFlags(f)
}

// nameOf is the name of this machine in a cluster.
func (m *member) nameOf() (string, error) {
	name := m.name
	if name == "" {
		host, err := os.Hostname()
		if err != nil {
			return "", fmt.Errorf("finding the name of this machine: %w", err)
		}
		name, _, _ = strings.Cut(plainName(host), ".")
	}
	if err := span.CheckName(name); err != nil {
		return "", fmt.Errorf("--name %q: %w", name, err)
	}
	return name, nil
}

// plainName makes a name of a text, as far as its letters allow.
func plainName(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '.', r == '-', r == '_', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, text)
}

func (m *member) labelled() (map[string]string, error) {
	labels := map[string]string{}
	for _, label := range m.labels {
		key, value, ok := strings.Cut(label, "=")
		if !ok || key == "" || value == "" {
			return nil, fmt.Errorf("--label %q: want KEY=VALUE", label)
		}
		labels[key] = value
	}
	return labels, nil
}

// clusterDir is where the keys of this user's members lie, and an embedded server's list.
func clusterDir() (string, error) {
	home := install.Home()
	if home == "" {
		return "", errors.New("there is no home directory to keep the cluster's keys in: set AIDB_HOME")
	}
	return filepath.Join(home, "cluster"), nil
}

// dial is how this machine connects in a role.
func (a *app) dial(m *member, role span.Role, name string) (span.Dial, error) {
	d := span.Dial{URL: m.where, Role: role, Name: name, Log: a.log}
	if err := span.CheckAddress(m.where, a.site.insecure); err != nil {
		return d, err
	}
	dir, err := clusterDir()
	if err != nil {
		return d, err
	}
	var isNew bool
	if d.Key, isNew, err = span.Key(filepath.Join(dir, string(role)+"-"+name+".nk")); err != nil {
		return d, err
	}
	if d.TLS, err = span.TLS(m.where, m.ca); err != nil || m.tokenFile == "" {
		return d, err
	}
	var text []byte
	if m.tokenFile == "-" {
		text, err = io.ReadAll(io.LimitReader(a.stdin, 4<<10))
	} else {
		text, err = os.ReadFile(m.tokenFile)
	}
	if errors.Is(err, fs.ErrNotExist) && !isNew { // a member needs none
		return d, nil
	}
	if err != nil {
		return d, fmt.Errorf("reading --join-token-file: %w", err)
	}
	if d.Token = strings.TrimSpace(string(text)); d.Token == "" {
		return d, fmt.Errorf("--join-token-file %s is empty", m.tokenFile)
	}
	return d, nil
}

// cluster is the gateway's end of a cluster; own is the pool of this machine, nil where it
// has none.
func (a *app) cluster(ctx context.Context, o pool.Options, g clusterParts) (pool.Workers, *pool.Pool, error) {
	m := &a.site.member
	name, err := m.nameOf()
	if err != nil {
		return nil, nil, err
	}
	of := link.Options{Name: name, Limits: o.Filled(), Observe: g.metrics.Of(""), Log: a.log, Grants: g.allowed, Rates: g.rates, Pages: g.pages.Below()}
	if m.where != embedded {
		l, err := a.joinedCluster(of, g.metrics.Of(""))
		return l, nil, err
	}
	e, err := a.engine(ctx, g.rules, g.certificate)
	if err != nil {
		return nil, nil, err
	}
	connect := func(role span.Role, tenant string) (d span.Dial, err error) {
		d = span.Dial{URL: "nats://embedded", Role: role, Name: name, Server: e, Log: a.log}
		if d.Key, err = nkeys.CreateUser(); err == nil {
			err = e.Own(d.Key, role, name, tenant)
		}
		return d, err
	}
	tenants, err := link.NewTenants(of, g.rules.grants, func(tenant string) (*link.Link, error) {
		d, err := connect(span.Gateway, tenant)
		if err != nil {
			return nil, err
		}
		nc, err := span.Connect(d)
		if err != nil {
			return nil, err
		}
		of := of
		of.Observe = g.metrics.Of(tenant)
		l := link.New(of)
		g.metrics.Of(tenant).Watch(l.Status)
		return l, l.Serve(nc)
	})
	if err != nil || m.alone {
		return tenants, nil, err
	}
	d, err := connect(span.Machine, "")
	if err != nil {
		return nil, nil, err
	}
	dir := cmp.Or(a.workspace, ".")
	workspace, err := parseWorkspace(dir)
	if err == nil {
		err = a.checkWorkspace(workspace)
	}
	if err != nil {
		return nil, nil, err
	}
	o.Observe = g.metrics.Of("").OfWorkers()
	own, err := a.host(ctx, o, []machine.Workspace{workspace}, d, g.acts)
	return tenants, own, err
}

// joinedCluster is the gateway's end of a cluster that another server has begun.
func (a *app) joinedCluster(of link.Options, metrics *gateway.Metrics) (*link.Link, error) {
	l := link.New(of)
	metrics.Watch(l.Status)
	d, err := a.dial(&a.site.member, span.Gateway, of.Name)
	if err != nil {
		return nil, err
	}
	d.Back = l.Inquire
	nc, err := span.Connect(d)
	if err != nil {
		return nil, err
	}
	return l, l.Serve(nc)
}

// clusterParts are the parts of the gateway that its end of a cluster uses.
type clusterParts struct {
	metrics     *gateway.TenantMetrics
	rules       *rules
	certificate *certificate
	allowed     *grants.Current
	rates       *grants.Rates
	pages       *gateway.Pages
	acts        *audit.Log
}

// readyFor prepares a cluster for new grants. The error is why they cannot replace the old ones.
func readyFor(workers pool.Workers, file grants.File) error {
	if t, ok := workers.(*link.Tenants); ok {
		return t.Prepare(file)
	}
	return nil
}

// renew tells the machines of a cluster what principals may do now.
func renew(workers pool.Workers) {
	if l, ok := workers.(interface{ Renew() }); ok {
		l.Renew()
	}
}

// engine starts the embedded server.
func (a *app) engine(ctx context.Context, r *rules, certificate *certificate) (*engine.Engine, error) {
	dir, err := clusterDir()
	if err != nil {
		return nil, err
	}
	members, err := engine.NewMembers(dir)
	if err != nil {
		return nil, err
	}
	members.Sweep()
	o := engine.Options{Address: a.site.member.listen, Members: members, Insecure: a.site.insecure, Log: a.log}
	if r.certificate != nil {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: certificate.config(r.certificate).GetCertificate}
	}
	e, err := engine.Start(o)
	if err != nil {
		return nil, err
	}
	go e.Watch(ctx)
	fmt.Fprintln(a.stderr, "aidb-mcp's cluster is at", e.Where())
	return e, nil
}

// host makes this machine serve the cluster over a connection in this process, until ctx ends.
func (a *app) host(ctx context.Context, o pool.Options, workspaces []machine.Workspace, d span.Dial, acts *audit.Log) (*pool.Pool, error) {
	labels, err := a.site.member.labelled()
	if err != nil {
		return nil, err
	}
	nc, err := span.Connect(d)
	if err != nil {
		return nil, err
	}
	o.For = nil // what a principal may do comes with it, from whichever gateway
	pages, err := a.machinePages(&o, o.Pages == nil)
	if err != nil {
		return nil, err
	}
	offerPeers(&o, a.site.foreign)
	own := pool.New(o)
	h := machine.New(machine.Options{
		Name: d.Name, Workspaces: workspaces, Labels: labels, Version: readVersion().Version, Pool: own, Pages: pages, Log: a.log,
		Narrow: a.narrowing(o.Command, a.site.foreign), Fences: !a.site.foreign, Audit: acts, Gateway: d.Name,
	})
	go func() {
		if err := h.Serve(context.WithoutCancel(ctx), nc); err != nil { // it ends with the gateway, which closes its clients' places first
			a.log.Error("this machine does not serve its own cluster", "error", err)
		}
	}()
	return own, nil
}

// narrowing is narrow for our own server; another does not know our flags.
func (a *app) narrowing(usual []string, foreign bool) func(dir string, g grants.Grant) ([]string, error) {
	if foreign {
		return nil
	}
	return a.narrow(usual)
}

// parseWorkspace reads NAME=DIR, or DIR alone, whose last step is then the name.
func parseWorkspace(text string) (machine.Workspace, error) {
	name, dir, named := strings.Cut(text, "=")
	if !named {
		dir = text
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return machine.Workspace{}, fmt.Errorf("finding the workspace: %w", err)
	}
	if !named {
		name = plainName(filepath.Base(dir))
	}
	if err := span.CheckName(name); err != nil {
		return machine.Workspace{}, fmt.Errorf("--workspace %s: %q: %w; give NAME=DIR", text, name, err)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return machine.Workspace{}, fmt.Errorf("--workspace %s is not a directory", dir)
	}
	return machine.Workspace{Name: name, Dir: dir}, nil
}

// checkWorkspace refuses a workspace in which nothing could be opened.
func (a *app) checkWorkspace(w machine.Workspace) error {
	allowed, err := a.policy.Within(a.allowed)
	if err == nil && !allowed.Allows(w.Dir) {
		err = fmt.Errorf("--workspace %s lies outside of --allow-root %s", w.Dir, &a.allowed)
	}
	return err
}

func newClusterCommand(a *app) *cobra.Command {
	all := &cobra.Command{
		Use:   "cluster",
		Short: "Let machines into the cluster of this user's server, list them, and remove them",
	}
	all.AddCommand(newClusterTokenCommand(a), newClusterListCommand(a), newClusterRemoveCommand())
	return all
}

// members are those of this user's embedded server.
func members() (*engine.Members, error) {
	dir, err := clusterDir()
	if err != nil {
		return nil, err
	}
	return engine.NewMembers(dir)
}

func roleOf(isGateway bool) span.Role {
	if isGateway {
		return span.Gateway
	}
	return span.Machine
}

func newClusterTokenCommand(a *app) *cobra.Command {
	var isGateway bool
	var tenant string
	valid := 15 * time.Minute
	token := &cobra.Command{
		Use:   "token",
		Short: "Make a token with which one machine joins the cluster",
		Long: "Make a token with which one machine joins the cluster that aidb-mcp serve --cluster embedded has begun on this machine, and show it.\n" +
			"It is good once, for a few minutes: the machine makes a key of its own with it, by which it is known from then on.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := span.CheckName(tenant); tenant != "" && err != nil {
				return fmt.Errorf("--tenant %q: %w", tenant, err)
			}
			all, err := members()
			if err != nil {
				return err
			}
			all.Sweep()
			text, err := all.Token(roleOf(isGateway), tenant, valid)
			if err == nil {
				_, err = fmt.Fprintln(a.stdout, text)
			}
			return err
		},
	}
	token.Flags().BoolVar(&isGateway, "gateway", false, "for another gateway, and not for a machine")
	token.Flags().StringVar(&tenant, "tenant", "", "for a machine or gateway of this tenant, whose members know of no others")
	token.Flags().Var(limit(&valid), "for", "how long it is good")
	return token
}

func newClusterListCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the members of the cluster",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all, err := members()
			if err != nil {
				return err
			}
			list, err := all.List()
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(a.stdout, 0, 4, 2, ' ', 0)
			fmt.Fprintln(table, "role\tname\ttenant\tjoined\tkey")
			for _, m := range list {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", m.Role, m.Name, m.Tenant, m.Joined.Format(time.DateTime), m.Key)
			}
			return table.Flush()
		},
	}
}

func newClusterRemoveCommand() *cobra.Command {
	var isGateway bool
	remove := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a machine from the cluster: it is out within a second",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := span.CheckName(args[0]); err != nil {
				return err
			}
			all, err := members()
			if err != nil {
				return err
			}
			was, err := all.Remove(roleOf(isGateway), args[0])
			if err == nil && !was {
				err = fmt.Errorf("no %s of the cluster is called %s: aidb-mcp cluster list shows those that there are", roleOf(isGateway), args[0])
			}
			return err
		},
	}
	remove.Flags().BoolVar(&isGateway, "gateway", false, "a gateway, and not a machine")
	return remove
}
