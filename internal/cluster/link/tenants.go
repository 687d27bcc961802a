package link

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// Tenants are a gateway's ends of a cluster, one [Link] for each tenant: a principal has the
// machines of its own tenant, and knows of no others. To the gateway it looks as one Link does.
type Tenants struct {
	o    Options
	open func(tenant string) (*Link, error)

	mu    sync.Mutex // guards the field below
	links map[string]*Link
}

// NewTenants connects to the tenants that a file of grants names, and to the one without a name,
// to which all other principals belong. open makes a Link that serves.
func NewTenants(o Options, file grants.File, open func(tenant string) (*Link, error)) (*Tenants, error) {
	t := &Tenants{o: o, open: open, links: map[string]*Link{}}
	return t, t.ready(file)
}

// ready connects to those tenants of a file that it is not connected to.
func (t *Tenants) ready(file grants.File) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tenant := range append([]string{""}, file.Tenants()...) {
		if t.links[tenant] != nil {
			continue
		}
		l, err := t.open(tenant)
		if err != nil {
			return fmt.Errorf("connecting to the cluster for the tenant %q: %w", tenant, err)
		}
		t.links[tenant] = l
	}
	return nil
}

// Prepare connects to the tenants of a new file of grants. The error says why the file cannot
// replace the old one: a principal that has a place would become another tenant's.
func (t *Tenants) Prepare(file grants.File) error {
	if err := t.ready(file); err != nil {
		return err
	}
	for tenant, l := range t.all() {
		for _, principal := range l.principals() {
			if now := file.Of(principal).Tenant; now != tenant {
				return fmt.Errorf("%s has a client in the tenant %q now, and would move to %q: end its MCP sessions and send SIGHUP again, or start this server anew", principal, tenant, now)
			}
		}
	}
	return nil
}

// principals are those of the clients that have a place; one may occur more than once.
func (l *Link) principals() (all []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.seats {
		all = append(all, s.who.Principal)
	}
	return all
}

func (t *Tenants) all() map[string]*Link {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := map[string]*Link{}
	maps.Copy(all, t.links)
	return all
}

// Place takes a place for a client with its tenant's machines.
func (t *Tenants) Place(who pool.Client, receive func(frame.Frame)) pool.Slot {
	t.mu.Lock()
	l := t.links[t.o.Grants.Of(who.Principal).Tenant]
	t.mu.Unlock()
	if l == nil { // not connected: it has no machines, and must not get another tenant's
		l = New(t.o)
	}
	return l.Place(who, receive)
}

// Named is true: clients may name a workspace.
func (t *Tenants) Named() bool { return true }

// Limits are those of the gateway.
func (t *Tenants) Limits() pool.Options { return t.o.Limits }

// Status adds up what the machines of all tenants tell.
func (t *Tenants) Status() pool.Status {
	status := pool.Status{Sessions: map[string]int{}}
	for _, l := range t.all() {
		one := l.Status()
		status.Workers += one.Workers
		status.Waiting += one.Waiting
		status.Calls += one.Calls
		status.GivenUp += one.GivenUp
		for language, n := range one.Sessions {
			status.Sessions[language] += n
		}
	}
	return status
}

// Renew tells the machines of what principals may do now.
func (t *Tenants) Renew() {
	for _, l := range t.all() {
		l.Renew()
	}
}

// Close gives the places of all clients back, until ctx ends.
func (t *Tenants) Close(ctx context.Context) {
	var ending sync.WaitGroup
	for _, l := range t.all() {
		ending.Go(func() { l.Close(ctx) })
	}
	ending.Wait()
}
