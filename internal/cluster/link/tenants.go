package link

import (
	"context"
	"fmt"
	"sync"

	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// Tenants are the ends of a gateway at the tenants of a cluster: each principal has the
// machines of its own tenant, and knows of no others. It looks to the gateway as one end does.
type Tenants struct {
	o    Options
	open func(tenant string) (*Link, error)

	mu    sync.Mutex // guards the field below
	links map[string]*Link
}

// NewTenants are those of a file of grants, and the one of all others, which has no name.
// Open makes an end that serves.
func NewTenants(o Options, file grants.File, open func(tenant string) (*Link, error)) (*Tenants, error) {
	t := &Tenants{o: o, open: open, links: map[string]*Link{}}
	return t, t.ready(file)
}

// ready has an end at each tenant of a file.
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

// Prepare readies for another file. The error is why it cannot count: a principal that is
// here would become another tenant's.
func (t *Tenants) Prepare(file grants.File) error {
	if err := t.ready(file); err != nil {
		return err
	}
	for tenant, l := range t.all() {
		for _, principal := range l.principals() {
			if now := file.Of(principal).Tenant; now != tenant {
				return fmt.Errorf("%s is a client of the tenant %q now, and would become one of %q: have it end its sessions first, or start this server anew", principal, tenant, now)
			}
		}
	}
	return nil
}

// principals are those that have a place.
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
	for tenant, l := range t.links {
		all[tenant] = l
	}
	return all
}

// Place takes a place for a client at its tenant's.
func (t *Tenants) Place(who pool.Client, receive func(frame.Frame)) pool.Slot {
	t.mu.Lock()
	l := t.links[t.o.Grants.Of(who.Principal).Tenant]
	t.mu.Unlock()
	if l == nil { // none was readied: it has no machines, and by no means another's
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
