// Package cluster tests a whole cluster in one process: a server, machines with pools of
// real worker processes, gateways' ends, and the wires between them, which the tests cut.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/engine"
	"aidb-mcp/internal/cluster/link"
	"aidb-mcp/internal/cluster/machine"
	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
	"aidb-mcp/internal/serving/pool/pooltest"
)

func TestMain(m *testing.M) {
	pooltest.Work()
	os.Exit(m.Run())
}

const patience = 30 * time.Second

// cluster is a server with its members.
type cluster struct {
	t       *testing.T
	engine  *engine.Engine
	members *engine.Members
	log     *slog.Logger
	keys    map[string]nkeys.KeyPair // of members, by name
	fences  bool                     // machines tell workers by when calls must begin
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	members, err := engine.NewMembers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("AIDB_TEST_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	e, err := engine.Start(engine.Options{Address: "127.0.0.1:0", Members: members, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Shutdown)
	go e.Watch(t.Context())
	return &cluster{t: t, engine: e, members: members, log: log, keys: map[string]nkeys.KeyPair{}}
}

// dial joins the cluster by a wire and connects.
func (c *cluster) dial(role span.Role, name string, w *cable) *nats.Conn {
	c.t.Helper()
	return c.dialAs("", role, name, w)
}

// dialAs is dial for a tenant.
func (c *cluster) dialAs(tenant string, role span.Role, name string, w *cable) *nats.Conn {
	c.t.Helper()
	token, err := c.members.Token(role, tenant, time.Minute)
	if err != nil {
		c.t.Fatal(err)
	}
	key, _, err := span.Key(filepath.Join(c.t.TempDir(), "key"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.keys[name] = key
	nc, err := connect(span.Dial{URL: "nats://" + w.address(), Role: role, Name: name, Key: key, Token: token, Log: c.log})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(nc.Close)
	return nc
}

// connect tries again for some time, as a machine does: thousands at once are slow on a busy one.
func connect(d span.Dial) (*nats.Conn, error) {
	for end := time.Now().Add(2 * time.Minute); ; {
		nc, err := span.Connect(d)
		if late, ok := errors.AsType[net.Error](err); !ok || !late.Timeout() || time.Now().After(end) {
			return nc, err
		}
	}
}

// dialDirectly joins by no wire that could be cut, and may be called from any goroutine.
func (c *cluster) dialDirectly(role span.Role, name string) *nats.Conn {
	key, err := nkeys.CreateUser()
	if err == nil {
		err = c.engine.Own(key, role, name, "")
	}
	var nc *nats.Conn
	if err == nil {
		nc, err = connect(span.Dial{URL: "nats://embedded", Role: role, Name: name, Key: key, Server: c.engine, Log: c.log})
	}
	if err != nil {
		c.t.Error(err)
		runtime.Goexit()
	}
	c.t.Cleanup(nc.Close)
	return nc
}

func (c *cluster) cable() *cable { return newCable(c.t, c.engine.Addr().String()) }

// machineAt is a machine with workspaces, each in a folder of its own name.
func (c *cluster) machineAt(w *cable, name string, o pool.Options, workspaces ...string) (notes string) {
	c.t.Helper()
	return c.machineOf("", w, name, o, workspaces...)
}

// machineOf is machineAt for a tenant.
func (c *cluster) machineOf(tenant string, w *cable, name string, o pool.Options, workspaces ...string) (notes string) {
	c.t.Helper()
	dir := c.t.TempDir()
	notes = filepath.Join(dir, "notes")
	o.Command, o.Env, o.Log = []string{os.Args[0]}, append(os.Environ(), "AIDB_NOTES="+notes), c.log
	of := machine.Options{Name: name, Labels: map[string]string{"is": name}, Pool: pool.New(o), Log: c.log, Fences: c.fences}
	of.Narrow = func(dir string, g grants.Grant) ([]string, error) {
		if slices.Contains(g.Folders, "elsewhere") {
			return nil, errors.New("it lies elsewhere")
		}
		return append(slices.Clone(o.Command), fmt.Sprint("read-only=", g.ReadOnly), "in="+filepath.Base(dir)), nil
	}
	for _, w := range workspaces {
		at := filepath.Join(dir, w)
		if err := os.Mkdir(at, 0o700); err != nil {
			c.t.Fatal(err)
		}
		of.Workspaces = append(of.Workspaces, machine.Workspace{Name: w, Dir: at})
	}
	h := machine.New(of)
	nc := c.dialAs(tenant, span.Machine, name, w)
	ctx, end := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		if err := h.Serve(ctx, nc); err != nil {
			c.t.Error(err)
		}
	}()
	c.t.Cleanup(func() { end(); <-over })
	return notes
}

func (c *cluster) gatewayAt(w *cable, name string) *link.Link {
	c.t.Helper()
	return c.gatewayWith(w, link.Options{Name: name})
}

func (c *cluster) gatewayWith(w *cable, o link.Options) *link.Link {
	c.t.Helper()
	return c.gatewayOf("", w, o)
}

// gatewayOf is gatewayWith for a tenant.
func (c *cluster) gatewayOf(tenant string, w *cable, o link.Options) *link.Link {
	c.t.Helper()
	name := o.Name
	o.Observe, o.Log, o.Limits = pool.Nobody(), c.log, o.Limits.Filled()
	l := link.New(o)
	if err := l.Serve(c.dialAs(tenant, span.Gateway, name, w)); err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		l.Close(ctx)
	})
	return l
}

// client is one at a place.
type client struct {
	pool.Slot
	t     *testing.T
	heard chan frame.Frame
	n     int
}

func newClient(t *testing.T) *client { return &client{t: t, heard: make(chan frame.Frame, 100_000)} }

func sit(t *testing.T, l *link.Link, who pool.Client) *client {
	c := newClient(t)
	c.Slot = l.Place(who, c.hear)
	return c
}

func (c *client) hear(f frame.Frame) { c.heard <- f }

func parse(t *testing.T, text string) frame.Frame {
	t.Helper()
	f, err := frame.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (c *client) send(method, params string) *fault.Error {
	c.t.Helper()
	c.n++
	return c.Ask(c.t.Context(), parse(c.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.n, method, params)))
}

func (c *client) ask(method, params string) frame.Frame {
	c.t.Helper()
	if refused := c.send(method, params); refused != nil {
		c.t.Fatalf("%s: %s (%s)", method, refused.Message, refused.Code)
	}
	return c.answer()
}

func (c *client) answer() frame.Frame {
	c.t.Helper()
	for {
		if f := c.next(); f.Kind() == frame.Answer {
			return f
		}
	}
}

func (c *client) next() frame.Frame {
	c.t.Helper()
	select {
	case f := <-c.heard:
		return f
	case <-time.After(patience):
		c.t.Fatal("nothing comes")
		return frame.Frame{}
	}
}

// cable passes connections on to a server, until the test cuts it.
type cable struct {
	l  net.Listener
	to string

	mu      sync.Mutex
	open    map[net.Conn]struct{}
	refuses bool
	stalled [2]chan struct{} // to the server, and back: closed when it goes on; nil: it does
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{l: l, to: to, open: map[net.Conn]struct{}{}}
	t.Cleanup(func() { l.Close(); c.resume(); c.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(near)
		}
	}()
	return c
}

func (c *cable) address() string { return c.l.Addr().String() }

func (c *cable) pass(near net.Conn) {
	c.mu.Lock()
	refuses := c.refuses
	c.mu.Unlock()
	far, err := net.Dial("tcp", c.to)
	if err != nil || refuses {
		near.Close()
		if err == nil {
			far.Close()
		}
		return
	}
	c.mu.Lock()
	c.open[near], c.open[far] = struct{}{}, struct{}{}
	c.mu.Unlock()
	go c.copy(far, near, 0)
	c.copy(near, far, 1)
}

func (c *cable) copy(to io.WriteCloser, from io.ReadCloser, way int) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		c.mu.Lock()
		stalled := c.stalled[way]
		c.mu.Unlock()
		if stalled != nil {
			<-stalled // what has been read comes late
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// stall stops what is sent, without a word: to the server (0), from it (1).
func (c *cable) stall(ways ...int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, way := range ways {
		c.stalled[way] = make(chan struct{})
	}
}

// resume lets everything go on.
func (c *cable) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuses = false
	for way, s := range c.stalled {
		if s != nil {
			close(s)
			c.stalled[way] = nil
		}
	}
}

// cut closes all connections, and lets none come until resume.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuses = true
	for conn := range c.open {
		conn.Close()
	}
	clear(c.open)
}

// notesOf are the ids that a machine's workers have noted, with when.
func notesOf(t *testing.T, file string) map[string][]time.Time {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	all := map[string][]time.Time{}
	for line := range strings.Lines(string(text)) {
		var id string
		var at int64
		if _, err := fmt.Sscan(line, &id, &at); err != nil {
			t.Fatal(err)
		}
		all[id] = append(all[id], time.Unix(0, at))
	}
	return all
}
