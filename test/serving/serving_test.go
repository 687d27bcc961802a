//go:build linux

// Package serving drives the built server over HTTP as teams do: the gateway,
// its workers, and clients that come to it directly or by the bridge.
package serving

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

type A = testkit.A

func TestMain(m *testing.M) { os.Exit(testkit.MainWithRaces(m)) }

// secret is the token of the principal ada; bob has another.
const (
	secret  = "6ZQ3V2Y5K7T4N1W8"
	another = "J5R9X2C6M3B7D1F4"
)

// gateway is a running one.
type gateway struct {
	*testkit.Wire
	URL    string
	Tokens string // the file
}

// serve starts a gateway with these flags, and ends it with the test.
func serve(t *testing.T, flags ...string) *gateway {
	t.Helper()
	return serveAt(t, "127.0.0.1:0", flags...)
}

func serveAt(t *testing.T, address string, flags ...string) *gateway {
	t.Helper()
	g := &gateway{Tokens: tokens(t)}
	args := append([]string{"--http", address, "--token-file", g.Tokens}, flags...)
	g.Wire = testkit.StartWire(t, testkit.Options{Args: args})
	t.Cleanup(g.stop)
	g.URL = g.Address()
	return g
}

// tokens is a file with those of ada and bob.
func tokens(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte("# name token\nada "+secret+"\nbob "+another+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// stop ends it as a service manager does.
func (g *gateway) stop() {
	select {
	case <-g.Exited():
		return
	default:
	}
	g.Signal(syscall.SIGTERM)
	<-g.Exited()
}

// workers are its processes that serve clients of a principal, of any when that is empty.
func (g *gateway) workers(principal string) []testkit.Proc {
	return slices.DeleteFunc(testkit.Descendants(g.PID()), func(p testkit.Proc) bool {
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
		return err != nil || !strings.Contains(p.Command, " serve") || strings.Contains(p.Command, " supervise ") || !strings.Contains(string(env), "AIDB_PRINCIPAL="+principal)
	})
}

// bridged starts a client that comes by the bridge.
func (g *gateway) bridged(t *testing.T, o testkit.Options) *testkit.Server {
	t.Helper()
	o.Bare = true
	o.Args = append([]string{"connect", g.URL}, o.Args...)
	o.Env = append([]string{"AIDB_TOKEN=" + secret, "AIDB_HOME=" + t.TempDir()}, o.Env...)
	return testkit.Start(t, o)
}

// revisions are the newest of each kind.
var revisions = []string{"2025-11-25", "2026-07-28"}
