//go:build linux

// Package cluster drives the built server as a cluster: a gateway that begins one, and
// machines that join it, each a process with folders of its own.
package cluster

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/clustertest"
	"aidb-mcp/internal/testkit"
)

type A = testkit.A

func TestMain(m *testing.M) {
	clustertest.Serve()
	os.Exit(testkit.Main(m))
}

// secret is the token of the principal ada.
const secret = "6ZQ3V2Y5K7T4N1W8"

// another is that of bob.
const another = "9WQ3V2Y5K7T4N1W6"

// third is that of cy.
const third = "1WQ3V2Y5K7T4N1W5"

// longest is how long a start may take on a machine that has much else to do, in ms.
const longest = 120_000

// gateway is one that has begun a cluster, or has joined it.
type gateway struct {
	*testkit.Wire
	url     string // of clients
	cluster string // host:port for machines
	home    string
	tokens  string // the file
	scheme  string // by which machines connect; empty: nats://
	tenant  string // of the machines that join from now on
}

// home is a home of its own, in which the debug adapters are those of all tests.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	entries, err := os.ReadDir(testkit.Home())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "cluster" || e.Name() == "token" {
			continue
		}
		if err := os.Symlink(filepath.Join(testkit.Home(), e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// begin starts a gateway that begins a cluster, and has no workers itself.
func begin(t *testing.T, flags ...string) *gateway {
	t.Helper()
	at := testkit.Address(testkit.Port(t))
	return start(t, at, append([]string{"--cluster", "embedded", "--cluster-listen", at, "--cluster-gateway-only"}, flags...)...)
}

// start starts a gateway.
func start(t *testing.T, cluster string, flags ...string) *gateway {
	t.Helper()
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("ada "+secret+"\nbob "+another+"\ncy "+third+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	g := &gateway{home: home(t), cluster: cluster, tokens: tokens}
	g.Wire = testkit.StartWire(t, testkit.Options{
		Args: append([]string{"--http", "127.0.0.1:0", "--token-file", tokens}, flags...), Env: []string{"AIDB_HOME=" + g.home},
	})
	stopLater(t, g.Wire)
	g.url = g.Address()
	return g
}

func stopLater(t *testing.T, w *testkit.Wire) {
	t.Cleanup(func() {
		select {
		case <-w.Exited():
		default:
			w.Signal(syscall.SIGTERM)
			<-w.Exited()
		}
	})
}

// token makes a join token on the gateway's machine.
func (g *gateway) token(t *testing.T, more ...string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "join")
	if err := os.WriteFile(file, []byte(g.run(t, append([]string{"cluster", "token"}, more...)...)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// run runs a command with the gateway's home.
func (g *gateway) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(testkit.Binary(t), args...)
	cmd.Env = append(os.Environ(), "AIDB_HOME="+g.home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// machine starts a machine with workspaces, that connects through an address.
func (g *gateway) machine(t *testing.T, name, through string, workspaces map[string]string, more ...string) *testkit.Wire {
	t.Helper()
	return g.machineIn(t, home(t), name, through, workspaces, more...)
}

// machineIn starts one with a home of its own.
func (g *gateway) machineIn(t *testing.T, home, name, through string, workspaces map[string]string, more ...string) *testkit.Wire {
	t.Helper()
	args := append([]string{"worker", "--join", cmp.Or(g.scheme, "nats://") + through, "--name", name, "--join-token-file", g.token(t, "--tenant="+g.tenant)}, more...)
	for workspace, dir := range workspaces {
		args = append(args, "--workspace", workspace+"="+dir)
	}
	w := testkit.StartWire(t, testkit.Options{Bare: true, Args: args, Env: []string{"AIDB_HOME=" + home}})
	stopLater(t, w)
	testkit.Eventually(t, time.Minute, "the machine "+name, func() bool {
		select {
		case <-w.Exited():
			t.Fatalf("the machine %s has ended:\n%s", name, w.Stderr())
		default:
		}
		return strings.Contains(w.Stderr(), "serves the cluster at")
	})
	return w
}

// agent is a client in a workspace, any where that is empty.
func (g *gateway) agent(t *testing.T, workspace string) *testkit.Server {
	t.Helper()
	return g.agentOf(t, secret, workspace)
}

// agentOf is a client of the principal with a token.
func (g *gateway) agentOf(t *testing.T, token, workspace string) *testkit.Server {
	t.Helper()
	url := g.url
	if workspace != "" {
		url += "/" + workspace
	}
	s := testkit.Start(t, testkit.Options{
		Bare: true, Args: []string{"connect", url}, Env: []string{"AIDB_TOKEN=" + token, "AIDB_HOME=" + t.TempDir()},
	})
	if _, err := s.Client.ListTools(t.Context(), nil); err != nil { // as agents do: the bridge reads there which arguments are headers, too
		t.Fatal(err)
	}
	return s
}

// workersOf are the worker processes of a machine.
func workersOf(w *testkit.Wire) (all []testkit.Proc) { return workersUnder(w.PID()) }

func workersUnder(pid int) (all []testkit.Proc) {
	for _, p := range testkit.Descendants(pid) {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
		if err == nil && strings.Contains(p.Command, " serve") && !strings.Contains(p.Command, " supervise ") && strings.Contains(string(env), "AIDB_PRINCIPAL=ada") {
			all = append(all, p)
		}
	}
	return all
}

// cable passes connections on to the cluster's server, until the test stalls it.
type cable struct {
	l  net.Listener
	to string

	mu      sync.Mutex
	stalled chan struct{} // closed when it goes on; nil: it does
	delay   time.Duration // of each part
	open    []net.Conn
}

func newCable(t *testing.T, to string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{l: l, to: to}
	t.Cleanup(func() { l.Close(); c.resume(); c.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", c.to)
			if err != nil {
				near.Close()
				continue
			}
			c.mu.Lock()
			c.open = append(c.open, near, far)
			c.mu.Unlock()
			go c.copy(near, far)
			go c.copy(far, near)
		}
	}()
	return c
}

func (c *cable) copy(to io.WriteCloser, from io.ReadCloser) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		c.mu.Lock()
		stalled, delay := c.stalled, c.delay
		c.mu.Unlock()
		if delay > 0 {
			<-time.After(delay)
		}
		if stalled != nil {
			<-stalled
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

func (c *cable) address() string { return c.l.Addr().String() }

// stall stops everything, without a word.
func (c *cable) stall() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stalled = make(chan struct{})
}

// slow delays each part of what is sent.
func (c *cable) slow(delay time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delay = delay
}

func (c *cable) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stalled != nil {
		close(c.stalled)
		c.stalled = nil
	}
}

// cut closes all connections; new ones come through.
func (c *cable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.open {
		conn.Close()
	}
	c.open = nil
}
