//go:build linux

package serving

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// hello is a handshake of the revisions with sessions.
const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`

// knock sends a request to the gateway, with these headers in addition.
func (g *gateway) knock(t *testing.T, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	url := strings.TrimSuffix(g.URL, "/mcp") + path
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

func TestWhoMayComeIn(t *testing.T) {
	g := serve(t)
	ours := "Bearer " + secret
	for _, c := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		says                     string
	}{
		{"a token", "POST", "/mcp", hello, []string{"Authorization", ours}, 200, `"serverInfo"`},
		{"none", "POST", "/mcp", hello, nil, 401, "a token is needed"},
		{"a wrong one", "POST", "/mcp", hello, []string{"Authorization", ours + "x"}, 401, "not known"},
		{"a name in place of it", "POST", "/mcp", hello, []string{"Authorization", "Bearer ada"}, 401, "not known"},
		{"a foreign page", "POST", "/mcp", hello, []string{"Authorization", ours, "Origin", "https://evil.example"}, 403, "foreign Origin"},
		{"a foreign name", "POST", "/mcp", hello, []string{"Authorization", ours, "Host", "evil.example"}, 403, "foreign Host"},
		{"an unknown session", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Authorization", ours, "Mcp-Session-Id", "nope"}, 404, "initialize"},
		{"no session", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, []string{"Authorization", ours}, 400, "Mcp-Session-Id is missing"},
		{"no JSON", "POST", "/mcp", `{"jsonrpc`, []string{"Authorization", ours}, 400, "JSON"},
		{"a batch", "POST", "/mcp", "[" + hello + "]", []string{"Authorization", ours, "Mcp-Protocol-Version", "2025-11-25"}, 400, "batch"},
		{"too much", "POST", "/mcp", hello[:len(hello)-2] + `,"x":"` + strings.Repeat("x", 17<<20) + `"}}`, []string{"Authorization", ours}, 413, "bytes"},
		{"text", "POST", "/mcp", hello, []string{"Authorization", ours, "Content-Type", "text/plain"}, 415, "application/json"},
		{"another method", "PUT", "/mcp", hello, []string{"Authorization", ours}, 405, ""},
		{"another path", "POST", "/", hello, []string{"Authorization", ours}, 404, ""},
		{"health", "GET", "/healthz", "", nil, 200, `"workers":8`},
		{"health for a foreign page", "GET", "/healthz", "", []string{"Origin", "https://evil.example"}, 403, ""},
		{"metrics", "GET", "/metrics", "", []string{"Authorization", ours}, 200, "aidb_"},
		{"metrics without a token", "GET", "/metrics", "", nil, 401, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := g.knock(t, c.method, c.path, c.body, c.headers...)
			if status != c.status || !strings.Contains(text, c.says) {
				t.Errorf("%d %.300s, want %d with %q", status, text, c.status, c.says)
			}
			if strings.Contains(text, secret) {
				t.Errorf("it shows the token: %s", text)
			}
		})
	}
	if strings.Contains(g.Stderr(), secret) {
		t.Error("the token stands in the log")
	}
}

// One principal's session is as good as none for another.
func TestASessionIsItsOwners(t *testing.T) {
	g := serve(t)
	session := g.Join(t, secret, "2025-11-25").ID()
	for token, want := range map[string]int{secret: 200, another: 404} {
		status, text := g.knock(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, "Authorization", "Bearer "+token, "Mcp-Session-Id", session)
		if status != want {
			t.Errorf("%d %s, want %d", status, text, want)
		}
	}
}

// What a gateway refuses to start with, and why.
func TestRefusals(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("good", "ada "+secret+"\n", 0o600)
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"a port in use", []string{"--http", taken.Addr().String()}, "address already in use"},
		{"no address", []string{"--http", "nonsense"}, "nonsense"},
		{"beyond this machine without TLS", []string{"--http", "0.0.0.0:0"}, "--tls-cert"},
		{"half of TLS", []string{"--http", "127.0.0.1:0", "--tls-cert", good}, "--tls-key"},
		{"no certificate", []string{"--http", "127.0.0.1:0", "--tls-cert", good, "--tls-key", good}, "PEM"},
		{"tokens that others read", []string{"--http", "127.0.0.1:0", "--token-file", write("open", "ada "+secret, 0o644)}, "others"},
		{"a short token", []string{"--http", "127.0.0.1:0", "--token-file", write("short", "ada abc", 0o600)}, "16"},
		{"no tokens", []string{"--http", "127.0.0.1:0", "--token-file", write("empty", "", 0o600)}, "no token"},
		{"no file", []string{"--http", "127.0.0.1:0", "--token-file", filepath.Join(dir, "nope")}, "nope"},
		{"a provider without its keys", []string{"--http", "127.0.0.1:0", "--oauth-issuer", "https://id.example"}, "--oauth-keys"},
		{"no workers", []string{"--http", "127.0.0.1:0", "--workers", "0"}, "--workers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"serve"}, c.args...)
			if !strings.Contains(strings.Join(args, " "), "--token-file") {
				args = append(args, "--token-file", good)
			}
			cmd := exec.CommandContext(t.Context(), testkit.Binary(t), args...)
			cmd.Env = append(os.Environ(), "AIDB_HOME="+dir)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err == nil || !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), secret) {
				t.Errorf("%v, want an error with %q in\n%s", err, c.says, &out)
			}
		})
	}
}

// The token that a server makes for itself is for its user only.
func TestTheLocalToken(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	show := func() string {
		cmd := exec.Command(testkit.Binary(t), "token")
		cmd.Env = append(os.Environ(), "AIDB_HOME="+home)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return lines[len(lines)-1]
	}
	token := show()
	if len(token) < 26 || show() != token {
		t.Errorf("tokens %q and %q", token, show())
	}
	info, err := os.Stat(filepath.Join(home, "token"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// A socket is reached by its user, with the token.
func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	g := serveAt(t, "unix:"+path)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	g.bridged(t, testkit.Options{}).OK("context", nil)
	g.stop()
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is left")
	}
}

// Over TLS, with a certificate that the bridge is told of, and with one that has expired.
func TestTLS(t *testing.T) {
	cert, key := certificate(t, time.Now().Add(time.Hour))
	g := serve(t, "--tls-cert", cert, "--tls-key", key)
	if !strings.HasPrefix(g.URL, "https://") {
		t.Fatal(g.URL)
	}
	g.bridged(t, testkit.Options{Args: []string{"--tls-ca", cert}}).OK("context", nil)
	g.bridged(t, testkit.Options{}).Fail("BRIDGE_DOWN", "inspect", A{"target": "locals"}).Has("certificate")

	cert, key = certificate(t, time.Now().Add(-time.Minute))
	g = serve(t, "--tls-cert", cert, "--tls-key", key)
	g.bridged(t, testkit.Options{Args: []string{"--tls-ca", cert}}).Fail("BRIDGE_DOWN", "inspect", A{"target": "locals"}).Has("expired")
}

// certificate makes one for this machine, signed by itself.
func certificate(t *testing.T, until time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "aidb"}, NotBefore: until.Add(-24 * time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "PRIVATE KEY", Bytes: bytes}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// The limits that are set stand in what anybody may read.
func TestLimitsAreVisible(t *testing.T) {
	g := serve(t, "--log-level", "info", "--workers", "3", "--worker-memory", "512", "--worker-queue", "5", "--worker-idle", "90s", "--call-timeout", "45s")
	_, text := g.knock(t, "GET", "/healthz", "")
	var health struct{ Limits map[string]any }
	if err := json.Unmarshal([]byte(text), &health); err != nil {
		t.Fatal(err, text)
	}
	for key, want := range map[string]any{
		"workers": 3.0, "worker_memory_bytes": float64(512 << 20), "worker_queue": 5.0, "worker_idle": "1m30s", "worker_call": "45s",
		"worker_restarts": 3.0, "worker_restarts_within": "5m0s", "worker_start": "10s", "unanswered": 64.0,
	} {
		if health.Limits[key] != want {
			t.Errorf("%s: %v, want %v", key, health.Limits[key], want)
		}
	}
	testkit.Eventually(t, 5*time.Second, "a log that tells the limits", func() bool { return strings.Contains(g.Stderr(), "workers=3") })
}
