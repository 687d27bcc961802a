//go:build linux

package attack

import (
	"crypto/tls"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"aidb-mcp/internal/testkit"
)

// SIGHUP has the tokens, the certificate and the policy read again. Sessions go on;
// who is not named any more is not answered; what cannot be read changes nothing.
func TestReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir, "one")
	settings := filepath.Join(dir, "settings.json")
	write(t, settings, "{}", 0o600)
	g := serve(t, "--tls-cert", cert, "--tls-key", key, "--config", settings, "--log-level", "info")
	apart.Transport.(*http.Transport).TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // it is its name that is looked at
	p := testkit.NewProgram(t, "averages")
	at := `{"target":"` + p.Dir + `","timeout_ms":120000,"breakpoints":[{"file":"` + p.Dir + `/main.go","line":1}]}`
	h := g.session(ada)
	tool := func(name, args string) string {
		_, text := g.post(ada, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"`+name+`","arguments":`+args+`}}`, h)
		return text
	}
	if text := tool("session_start", strings.Replace(at, `"line":1`, `"function":"main.main"`, 1)); !strings.Contains(text, `"success":true`) && !strings.Contains(text, "stopped") {
		t.Fatal(text)
	}
	again := func(says string) {
		t.Helper()
		before := strings.Count(g.Stderr(), says)
		g.Signal(syscall.SIGHUP)
		testkit.Eventually(t, patience, says, func() bool { return strings.Count(g.Stderr(), says) > before })
	}
	name := func() string {
		conn, err := tls.Dial("tcp", g.address, &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].Subject.CommonName
	}

	write(t, g.tokens, "ada "+ada+"\neve "+eve+"-another\n", 0o600)
	other, otherKey := certificate(t, dir, "two")
	for from, to := range map[string]string{other: cert, otherKey: key} {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	write(t, settings, `{"read-only": true}`, 0o600)
	again("read again")
	for token, want := range map[string]int{bob: 401, eve: 401, eve + "-another": 200} {
		if status, text := g.post(token, hello, nil); status != want {
			t.Errorf("%s: %d %.300s", token, status, text)
		}
	}
	if name() != "two" {
		t.Errorf("the certificate is still that of %s", name())
	}
	if text := tool("inspect", `{"target":"stack"}`); !strings.Contains(text, "main.main") {
		t.Errorf("the session has not gone on: %.500s", text)
	}
	_, text := g.post(eve+"-another", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"session_start","arguments":`+at+`}}`, g.session(eve+"-another"))
	if !strings.Contains(text, "AIDB_POLICY_DENIED") {
		t.Errorf("a new worker goes by the old policy: %.500s", text)
	}
	tool("session", `{"action":"stop"}`)
	testkit.Eventually(t, patience, "the policy, for one whose session has ended", func() bool {
		return strings.Contains(tool("session_start", at), "AIDB_POLICY_DENIED")
	})

	write(t, g.tokens, "ada short\n", 0o600)
	again("nothing is changed")
	if status, _ := g.post(ada, hello, nil); status != http.StatusOK {
		t.Errorf("after tokens that cannot be used: %d", status)
	}
}

// A gateway whose file has been replaced starts its workers from what it is itself.
func TestAReplacedBinary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "aidb-mcp")
	copyFile(t, testkit.Binary(t), binary)
	tokens := filepath.Join(t.TempDir(), "tokens")
	write(t, tokens, "ada "+ada+"\n", 0o600)
	g := &gateway{t: t}
	g.Wire = testkit.StartWire(t, testkit.Options{Command: []string{binary, "serve", "--http", "127.0.0.1:0", "--token-file", tokens}})
	t.Cleanup(g.stop)
	g.URL = g.Address()
	first := g.agent(ada)
	first.call(t, "context", nil)
	write(t, binary+".new", "#!/bin/sh\nexit 7\n", 0o755)
	if err := os.Rename(binary+".new", binary); err != nil {
		t.Fatal(err)
	}
	first.call(t, "context", nil)
	p := testkit.NewProgram(t, "averages")
	g.agent(ada).call(t, "session_start", A{"target": p.Dir, "breakpoints": []A{{"function": "main.main"}}, "timeout_ms": 120_000})
}
