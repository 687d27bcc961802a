package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"

	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/serving/gateway"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/persons/page"
)

// machinePages are the pages of this machine's workers, for a cluster's gateways; nil where there are
// none.
func (a *app) machinePages(o *pool.Options, none bool) (*machine.Pages, error) {
	if none {
		return nil, nil
	}
	dir, err := a.root.Sockets("pages-")
	if err != nil {
		return nil, fmt.Errorf("finding a place for the sockets of pages: %w", err)
	}
	o.Machine = cmp.Or(o.Machine, handle.NewMachine())
	pages, err := machine.NewPages(dir, o.Machine)
	if err == nil {
		o.Pages = pages
	}
	return pages, err
}

// reachPages serves the pages of a cluster's machines at this gateway, too.
func reachPages(pages *gateway.Pages, workers pool.Workers) {
	type pageFinder interface {
		Page(ctx context.Context, id string) (net.Conn, string, error)
	}
	if far, ok := workers.(pageFinder); ok {
		pages.Reach(far.Page)
	}
}

// pages are the pages for persons, nil where none are asked for.
func (a *app) pages(l net.Listener, encrypted bool, command []string) (*gateway.Pages, error) {
	switch {
	case a.pageAddress == "":
		return nil, nil
	case len(command) > 0:
		return nil, errors.New("--page is for workers of this program: another server has no page")
	case l.Addr().Network() == "unix":
		return nil, errors.New("--page needs an address that a browser can open, which a socket is not")
	}
	base := a.pageAddress
	if base == page.AnyAddress {
		scheme := "http://"
		if encrypted {
			scheme = "https://"
		}
		host, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return nil, fmt.Errorf("reading the address of the page: %w", err)
		}
		if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
			if len(a.site.hosts) == 0 {
				return nil, fmt.Errorf("say with --page=URL, or --allow-host, by which name browsers reach %s", l.Addr())
			}
			host = a.site.hosts[0]
		}
		base = scheme + net.JoinHostPort(host, port)
	}
	dir, err := a.root.Sockets("page-")
	if err != nil {
		return nil, fmt.Errorf("finding a place for the sockets of pages: %w", err)
	}
	return gateway.NewPages(dir, base, a.log)
}
