//go:build linux

package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/testkit"
)

// mostHop is what a call may take longer whose worker is on another machine, by TLS and with
// permissions, than one whose worker is the gateway's own.
const mostHop = 1500 * time.Microsecond

// A hop from the gateway by its server to a machine costs little. What is measured beside
// much else is compared round by round, and the best round counts.
func TestWhatAHopCosts(t *testing.T) {
	rounds, calls := 5, 40
	if testkit.IsLong() {
		rounds, calls = 20, 200
	}
	cert, key := certificate(t)
	encrypted := []string{"--tls-cert", cert, "--tls-key", key}
	near := start(t, "", encrypted...)
	at := testkit.Address(testkit.Port(t))
	far := start(t, at, append([]string{"--cluster", "embedded", "--cluster-listen", at, "--cluster-gateway-only"}, encrypted...)...)
	far.scheme = "tls://"
	far.machine(t, "m1", strings.Replace(at, "127.0.0.1", "localhost", 1), map[string]string{"here": t.TempDir()}, "--tls-ca", cert)
	local, remote := joinTLS(t, near.url, cert), joinTLS(t, far.url, cert)
	for range 20 {
		timed(t, local)
		timed(t, remote)
	}
	var without, with, more []time.Duration
	for range rounds {
		var a, b []time.Duration
		for range calls {
			a, b = append(a, timed(t, local)), append(b, timed(t, remote))
		}
		without, with = append(without, a...), append(with, b...)
		more = append(more, percentile(b, 50)-percentile(a, 50))
	}
	t.Logf("a call (config show): own worker p50 %s, p99 %s; by a TLS server to a machine p50 %s, p99 %s; more: p50 %s in the median round, %s in the best",
		percentile(without, 50), percentile(without, 99), percentile(with, 50), percentile(with, 99), percentile(more, 50), slices.Min(more))
	if best := slices.Min(more); best > mostHop {
		t.Errorf("a hop costs %s in the best of %d rounds", best, rounds)
	}
}

func timed(t *testing.T, s *mcp.ClientSession) time.Duration {
	t.Helper()
	begun := time.Now()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "config", Arguments: A{"action": "show"}})
	if err != nil || r.IsError {
		t.Fatalf("%v, %+v", err, r)
	}
	return time.Since(begun)
}

func percentile(all []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[(len(sorted)-1)*percent/100].Round(10 * time.Microsecond)
}

// Sixty agents debug at once by two gateways, each its own program with a right answer to
// each call.
func TestSixtySessions(t *testing.T) {
	testkit.Long(t, "it proves a figure")
	testkit.Adapters(t)
	const agents, steps = 60, 10
	dir := programs(t)
	first := begin(t)
	second := start(t, first.cluster, "--cluster", "nats://"+first.cluster, "--name", "second", "--join-token-file", first.token(t, "--gateway"))
	first.machine(t, "m1", first.cluster, map[string]string{"loop": dir}, "--workers", fmt.Sprint(agents+2), "--worker-start-timeout", "60s", "--replies", "json")
	gate := make(chan struct{}, 4)
	var all sync.WaitGroup
	var mu sync.Mutex
	var starts, calls []time.Duration
	note := func(list *[]time.Duration, took time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		*list = append(*list, took)
	}
	begun, ready := time.Now(), make(chan struct{})
	var started sync.WaitGroup
	for i := range agents {
		started.Add(1)
		all.Go(func() {
			g := []*gateway{first, second}[i%2]
			one, err := dial(&part{http: strings.TrimSuffix(strings.TrimPrefix(g.url, "http://"), "/mcp")}, []string{firstEra, secondEra}[i/2%2])
			if err != nil {
				started.Done()
				t.Error(err)
				return
			}
			defer one.close()
			gate <- struct{}{}
			at := time.Now()
			r := one.call("session_start", A{
				"target": filepath.Join(dir, "loop.py"), "args": []string{filepath.Join(dir, fmt.Sprint("out-", i))}, "timeout_ms": longest, "show": []string{"i", "total"},
				"breakpoints": []A{{"file": filepath.Join(dir, "loop.py"), "line": 11}},
			})
			note(&starts, time.Since(at))
			<-gate
			started.Done()
			if !r.ok {
				t.Error(r.text)
				return
			}
			<-ready
			for n := 2; n <= steps+1; n++ {
				at := time.Now()
				if r = one.call("execute", A{"session_id": r.session, "timeout_ms": longest}); r.i != n || r.total != n*(n+1)/2 {
					t.Errorf("agent %d is at %d, not %d: %s", i, r.i, n, r.text)
					return
				}
				note(&calls, time.Since(at))
			}
			one.call("session", A{"action": "stop", "session_id": r.session})
		})
	}
	started.Wait()
	t.Logf("%d sessions of Python have started after %s (4 at once; p50 %s, p99 %s)", len(starts), time.Since(begun).Round(time.Second), percentile(starts, 50), percentile(starts, 99))
	begun = time.Now()
	close(ready)
	all.Wait()
	t.Logf("%d calls to go on to a breakpoint, by all at once: %.0f a second, p50 %s, p99 %s", len(calls), float64(len(calls))/time.Since(begun).Seconds(), percentile(calls, 50), percentile(calls, 99))
}

// joinTLS is a client by HTTPS.
func joinTLS(t *testing.T, url, cert string) *mcp.ClientSession {
	t.Helper()
	text, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	t.Cleanup(transport.CloseIdleConnections)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "figures", Version: "1"}, nil).Connect(context.WithoutCancel(t.Context()),
		&mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: &authorized{transport}}, DisableStandaloneSSE: true},
		&mcp.ClientSessionOptions{ProtocolVersion: firstEra})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// certificate is one of this machine's, and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	is := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, is, is, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "server.pem"), filepath.Join(t.TempDir(), "server.key")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}
