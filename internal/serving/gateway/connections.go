package gateway

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// connections are those that are open, each with the principal whose token it has
// shown. Where no more may be open, one that has shown none makes room for the
// next: of the address that has the most, the one that has come first. So those who
// hold connections open take them from each other, and from nobody else.
type connections struct {
	mu      sync.Mutex // guards the fields below, and those of the connections
	most    int        // of all
	trusted int        // of those that have shown a token
	share   int        // of one principal
	open    map[*connection]struct{}
	named   int            // how many have shown a token
	of      map[string]int // by principal
}

// connection is one of them.
type connection struct {
	net.Conn
	all     *connections
	address string
	came    time.Time
	name    string // of the principal, empty for a stranger
	gone    bool
}

// allow says how many there may be; it is called before the first comes.
func (a *connections) allow(most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.most, a.trusted, a.share = most, most-most/8, most/2
	a.open, a.of = map[*connection]struct{}{}, map[string]int{}
}

// door is a listener that lets no more in than may be.
type door struct {
	net.Listener
	all       *connections
	encrypted bool
}

// Accept waits for the next that may come in.
func (d door) Accept() (net.Conn, error) {
	for {
		conn, err := d.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := d.all.admit(conn); c != nil {
			return c, nil
		}
		turnAway(conn, d.encrypted)
	}
}

// turnAway closes a connection, after a plain word where it is not encrypted.
func turnAway(conn net.Conn, encrypted bool) {
	defer conn.Close()
	if encrypted {
		return
	}
	const says = "too many connections are open: come again later\n"
	_ = conn.SetWriteDeadline(time.Now().Add(time.Second / 10)) // it has room for it
	fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(says), says)
}

// admit takes a connection in, nil if there is no room.
func (a *connections) admit(conn net.Conn) *connection {
	c := &connection{Conn: conn, all: a, came: time.Now()}
	if remote := conn.RemoteAddr(); remote != nil {
		if c.address = remote.String(); remote.Network() == "tcp" {
			c.address, _, _ = net.SplitHostPort(c.address)
		}
	}
	a.mu.Lock()
	var out *connection
	if len(a.open) >= a.most {
		if out = a.mostCrowded(); out == nil {
			a.mu.Unlock()
			return nil
		}
		a.forget(out)
	}
	a.open[c] = struct{}{}
	a.mu.Unlock()
	if out != nil {
		_ = out.Conn.Close()
	}
	return c
}

// mostCrowded is the connection of a stranger that came first, of those of the address that has the most; mu is held.
func (a *connections) mostCrowded() (first *connection) {
	has := map[string]int{}
	for c := range a.open {
		if c.name == "" {
			has[c.address]++
		}
	}
	for c := range a.open {
		if c.name != "" {
			continue
		}
		if first == nil || has[c.address] > has[first.address] || has[c.address] == has[first.address] && c.came.Before(first.came) {
			first = c
		}
	}
	return first
}

// forget counts a connection out; mu is held.
func (a *connections) forget(c *connection) {
	if c.gone {
		return
	}
	c.gone = true
	delete(a.open, c)
	if c.name != "" {
		a.named--
		if a.of[c.name]--; a.of[c.name] == 0 {
			delete(a.of, c.name)
		}
	}
}

// Close closes the connection, and counts it out.
func (c *connection) Close() error {
	c.all.mu.Lock()
	c.all.forget(c)
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// trust notes whose token a connection has shown. False: too many have.
func (c *connection) trust(name string) bool {
	a := c.all
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.gone || c.name == name {
		return true
	}
	if c.name == "" && a.named >= a.trusted || a.of[name] >= a.share {
		return false
	}
	if c.name == "" {
		a.named++
	} else if a.of[c.name]--; a.of[c.name] == 0 {
		delete(a.of, c.name)
	}
	c.name = name
	a.of[name]++
	return true
}

// dismiss closes the connections of principals that may come in no more.
func (a *connections) dismiss(may func(name string) bool) {
	a.mu.Lock()
	var out []*connection
	for c := range a.open {
		if c.name != "" && !may(c.name) {
			a.forget(c)
			out = append(out, c)
		}
	}
	a.mu.Unlock()
	for _, c := range out {
		_ = c.Conn.Close()
	}
}

type connectionKey struct{}

// note lets the requests of a connection know it.
func note(ctx context.Context, conn net.Conn) context.Context {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	return context.WithValue(ctx, connectionKey{}, conn)
}

// noteTrusted notes whose token a request has shown. False: that one has too many connections.
func noteTrusted(r *http.Request, name string) bool {
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	return !ok || c.trust(name)
}

// mostConnections is how many may be open, for so many workers and descriptors.
// A worker takes some of those, and the others are ours.
func mostConnections(workers, descriptors int) int {
	const (
		least, usual = 16, 1024
		ofWorker     = 8
		ofOurs       = 32
	)
	return max(least, min(max(usual, 16*workers), descriptors-ofWorker*workers-ofOurs))
}
