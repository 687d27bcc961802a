package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"crypto/rand"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/tunnel"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/serving/pool"
)

// Pages are the pages of a machine's workers, on which persons watch sessions: each at a socket
// that only this user can reach, to which gateways connect. It implements pool.Pages. While no
// gateway has told that it serves pages, workers are started without.
type Pages struct {
	dir, machine string

	mu      sync.Mutex // guards the fields below
	base    string     // by which persons reach the gateway that has told last
	workers map[string]page
}

type page struct{ worker, principal, socket string }

// NewPages makes a directory for the sockets. machine is what handles call this machine.
func NewPages(dir, machine string) (*Pages, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a directory for the sockets of pages: %w", err)
	}
	return &Pages{dir: dir, machine: machine, workers: map[string]page{}}, nil
}

// Open gives the page of a worker that starts a socket and an address; env tells the worker both.
func (p *Pages) Open(worker, principal string) (env []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.base == "" {
		return nil
	}
	id := span.PageID(p.machine, strings.ToLower(rand.Text()))
	is := page{worker, principal, filepath.Join(p.dir, worker)}
	p.workers[id] = is
	return []string{pool.PageSocketVariable + "=" + is.socket, pool.PageAddressVariable + "=" + p.base + id + "/"}
}

// Close forgets the page of a worker that has ended.
func (p *Pages) Close(worker string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, is := range p.workers {
		if is.worker == worker {
			delete(p.workers, id)
			_ = os.Remove(is.socket) // its worker may have removed it
		}
	}
}

func (p *Pages) find(id string) (page, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	is, ok := p.workers[id]
	return is, ok
}

// noteGateway notes the address below which persons reach a gateway's pages.
func (p *Pages) noteGateway(base string) {
	at, err := url.Parse(base)
	if p == nil || err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.base = base
}

// visitor is a connection of a gateway to a page.
type visitor struct {
	conn  *tunnel.Conn
	line  *wire.Line
	heard time.Time // guarded by the host's mutex
}

// mostVisitors bounds how many there are at once.
const mostVisitors = 1000

var errNoPage = errors.New("there is no such page")

// visitPage connects a gateway to a page; the packet is the first of its line.
func (h *Host) visitPage(p wire.Packet, reply string) (*visitor, error) {
	var o span.PageOpening
	if err := json.Unmarshal(p.Body, &o); err != nil || p.More {
		return nil, errors.New("the opening of a page cannot be read")
	}
	if h.o.Pages == nil {
		return nil, errNoPage
	}
	is, ok := h.o.Pages.find(o.Page)
	if !ok {
		return nil, errNoPage
	}
	socket, err := net.Dial("unix", is.socket)
	if err != nil {
		return nil, fmt.Errorf("reaching the page of %s: %w", is.worker, err)
	}
	v := &visitor{heard: time.Now()}
	v.conn = tunnel.New(func() { h.leavePage(p.Line) })
	v.line = wire.New(wire.Options{
		Name: p.Line, Clock: h.clock, Send: func(packet []byte) error { return h.nc.Publish(reply, packet) },
		Deliver: func(op string, body []byte) {
			switch {
			case op == span.OpPage:
				v.line.Say(span.OpOpened, span.Marshal(span.PageOpened{Principal: is.principal}))
			case op == tunnel.OpBytes && bytes.HasPrefix(body, []byte("POST ")):
				go h.o.Pool.Stir(is.worker) // a person acts there: the worker is not idle
				fallthrough
			default:
				v.conn.Hear(op, body)
			}
		},
		Ended: v.conn.Fail,
	})
	v.conn.Over(v.line)
	h.mu.Lock()
	if h.closed || len(h.visitors) >= mostVisitors {
		h.mu.Unlock()
		socket.Close()
		v.line.Close()
		return nil, errNoPage
	}
	h.visitors[p.Line] = v
	h.mu.Unlock()
	go copyUntilClosed(v.conn, socket)
	go copyUntilClosed(socket, v.conn)
	return v, nil
}

// copyUntilClosed copies until one end is closed, and closes both.
func copyUntilClosed(to, from net.Conn) {
	_, _ = io.Copy(to, from) // who is at the ends learns why from its own
	to.Close()
	from.Close()
}

func (h *Host) leavePage(line string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.visitors, line)
	h.buried[line] = time.Now()
}

// takePage takes a packet for a page; it returns false if the packet is for none.
func (h *Host) takePage(m *nats.Msg, p wire.Packet) bool {
	h.mu.Lock()
	v := h.visitors[p.Line]
	_, over := h.buried[p.Line]
	if v != nil {
		v.heard = time.Now()
	}
	h.mu.Unlock()
	if v == nil && !over && p.N == 1 && p.Op == span.OpPage && h.clock() <= p.Lease+wire.LeaseFor.Milliseconds() {
		var err error
		if v, err = h.visitPage(p, m.Reply); err != nil {
			h.o.Log.Debug("a page cannot be visited", "error", err)
			return false
		}
	}
	if v == nil {
		return false
	}
	v.line.Take(p)
	return true
}

// sweepPages closes connections whose gateways are gone; mu is held.
func (h *Host) sweepPages(now time.Time) {
	for _, v := range h.visitors {
		if now.Sub(v.heard) > orphaned {
			go v.conn.Close()
		}
	}
}
