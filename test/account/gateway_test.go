//go:build unix

package account

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// gateway serves two principals over HTTP, and returns a server's end for each.
func gateway(t *testing.T, env []string, flags ...string) (w *testkit.Wire, as func(token string) *testkit.Server) {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const ada, bob = "ada 1234567890abcdefgh\n", "bob abcdefgh1234567890\n"
	w = testkit.StartWire(t, testkit.Options{Env: env, Args: append([]string{"--http", "127.0.0.1:0", "--token-file", file("tokens", ada+bob)}, flags...)})
	t.Cleanup(func() {
		w.Signal(syscall.SIGTERM)
		<-w.Exited()
	})
	url := w.Address()
	return w, func(token string) *testkit.Server {
		return testkit.Start(t, testkit.Options{Bare: true, Args: []string{"connect", url, "--token-file", file("token", token)}, Env: env})
	}
}

// The calls of a gateway's workers are the principals' who make them, each once:
// neither the gateway nor the near end counts them again.
func TestPrincipalsOfAGateway(t *testing.T) {
	t.Parallel()
	env := in(filepath.Join(t.TempDir(), "aidb.db"))
	_, as := gateway(t, env)
	for i, token := range []string{"1234567890abcdefgh", "abcdefgh1234567890"} {
		s := as(token)
		for range 2 + i {
			s.OK("session", A{"action": "list"})
		}
		s.CloseInput()
		<-s.Exited()
	}
	testkit.Eventually(t, 10*time.Second, "the calls of both", func() bool {
		found := rows(t, env, "principal")
		return len(found) == 2 && found["ada"].Calls == 2 && found["bob"].Calls == 3
	})
	if found := rows(t, env, "client"); found["testkit"].Calls != 5 {
		t.Errorf("by client: %+v", found)
	}
}

// Workers find the database that the gateway was told of, and no list of
// processes shows its password.
func gatewayWithDatabase(t *testing.T, c *cluster) {
	place := c.database(t)
	w, as := gateway(t, []string{"AIDB_NO_STORE=false"}, "--store", place)
	s := as("1234567890abcdefgh")
	s.OK("session", A{"action": "list"})
	workers := testkit.Descendants(w.PID())
	for _, p := range workers {
		if strings.Contains(p.Command, "sesame") {
			t.Errorf("it shows %s", p)
		}
	}
	if len(workers) == 0 {
		t.Error("there are no workers")
	}
	testkit.Eventually(t, 10*time.Second, "the call", func() bool { return rows(t, in(place), "principal")["ada"].Calls == 1 })
}
