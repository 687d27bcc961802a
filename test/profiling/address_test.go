//go:build linux && amd64

package profiling

import (
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// served starts a program of Go that serves its profiles, and says where.
func served(t *testing.T, dir string) (address string, process *os.Process) {
	t.Helper()
	said := filepath.Join(dir, "address")
	process = start(t, dir, []string{"served.go"}, said)
	testkit.Eventually(t, 20*time.Second, "the program to listen", func() bool {
		text, err := os.ReadFile(said)
		address = string(text)
		return err == nil && address != ""
	})
	return address, process
}

// byAddress are the arguments of a session by the address of pprof.
func byAddress(url string) A { return A{"mode": "attach", "adapter_options": A{"pprof": url}} }

// A program of Go is profiled by the address of its net/http/pprof: nothing is attached to it.
func TestAddress(t *testing.T) {
	dir := folder(t, "served.go")
	address, process := served(t, dir)
	s := testkit.Start(t, testkit.Options{Dir: dir})
	s.OK("session_start", byAddress("http://"+address+"/debug/pprof/"))
	r := s.OK("profile", A{"seconds": 2})
	lines := rows(r, "functions")
	for name, want := range map[string]float64{"mostly": 90, "rarely": 10} {
		if got := lines[name].Self; math.Abs(got-want) > chance(want, r.Int("data", "samples"))+3 {
			t.Errorf("%s has %.1f%%, want %.0f%%: %s", name, got, want, r)
		}
	}
	remember := rows(s.OK("profile", A{"what": "memory", "seconds": 2}), "rows")["remember"]
	if remember.Grown < 1<<20 || remember.Grown >= remember.Bytes || remember.At != "served.go:33" {
		t.Errorf("remember has grown by %d of %d bytes at %s", remember.Grown, remember.Bytes, remember.At)
	}
	stood := rows(s.OK("profile", A{"what": "waits", "seconds": 1}), "rows")
	if stood["locked"].WaitsFor != "sync.Mutex.Lock" || stood["receive"].WaitsFor != "chan receive" || math.Abs(stood["locked"].Self-3*stood["receive"].Self) > 0.2 {
		t.Errorf("three are at the lock and one receives: %v", stood)
	}
	var waits []struct {
		Who      string `json:"who"`
		At       string `json:"at"`
		WaitsFor string `json:"waits_for"`
		HeldBy   string `json:"held_by"`
		MadeAt   string `json:"made_at"`
		Count    int    `json:"count"`
	}
	r = s.OK("inspect", A{"target": "waits", "filter": "sync.Mutex"})
	r.Decode(&waits, "data", "waits")
	if len(waits) != 1 || waits[0].Count != 3 || waits[0].At != "served.go:36" || waits[0].MadeAt != "served.go:55" || !strings.HasPrefix(waits[0].HeldBy, "not known") {
		t.Errorf("three wait for the lock: %s", r)
	}
	s.OK("inspect", A{"target": "threads"}).Has("main.receive", "served.go:40").Lacks("startBackgroundRead")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "trace", A{"action": "arm", "what": "calls", "functions": []string{"remember"}}).Has("has no debugger")
	s.Fail("CAPABILITY_NOT_SUPPORTED", "breakpoint", A{"location": "served.go:32"}).Has("has no debugger")
	s.OK("session", A{"action": "stop"}).Has("left running")

	s.OK("session_start", byAddress("http://me:secret-17@"+address+"/private/debug/pprof")).Lacks("secret-17")
	s.OK("session", A{"action": "status"}).Lacks("secret-17")
	s.OK("profile", A{"seconds": 1}).Lacks("secret-17")
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.Fail("SESSION_START_FAILED", "profile", A{"seconds": 1}).Has("asking http://me:", "adapter_options.pprof").Lacks("secret-17")
}

// What is no pprof, or may not be asked, is refused with what is wrong.
func TestAddressRefused(t *testing.T) {
	dir := folder(t, "served.go")
	address, process := served(t, dir)
	other := http.NewServeMux()
	other.Handle("/away/", http.RedirectHandler("http://"+address+"/debug/pprof/threadcreate", http.StatusFound))
	other.HandleFunc("/page/", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("top secret page")) })
	other.HandleFunc("/endless/", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			_, _ = w.Write(make([]byte, 1<<20))
		}
	})
	server := httptest.NewServer(other)
	defer server.Close()
	s := testkit.Start(t, testkit.Options{Dir: dir})
	for url, why := range map[string]string{
		server.URL + "/away":                   "leads elsewhere (status 302)",
		server.URL + "/page":                   "is no profile",
		server.URL + "/endless":                "longer than 64 MiB",
		server.URL + "/debug/pprof":            "status 404",
		"http://127.0.0.1:1/debug/pprof":       "connection refused",
		"http://" + address + "/private/debug": "wants a login (status 401)",
	} {
		s.Fail("SESSION_START_FAILED", "session_start", byAddress(url)).Has(why, "adapter_options.pprof").Lacks("top secret")
	}
	for url, why := range map[string]string{
		"127.0.0.1:6060": "no URL", "ftp://" + address: "no URL of http", "http://" + address + "/debug/pprof?seconds=9": "without a query",
	} {
		s.Fail("VALIDATION_INVALID_PARAM", "session_start", byAddress(url)).Has(why, "adapter_options.pprof")
	}
	whole := byAddress("http://" + address + "/debug/pprof")
	both := A{"mode": "attach", "pid": process.Pid, "adapter_options": whole["adapter_options"]}
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", both).Has("pid has no use")
	s.Fail("VALIDATION_INVALID_PARAM", "session_start", A{"mode": "launch", "target": "served.go", "adapter_options": whole["adapter_options"]}).Has("mode attach")
	for flag, why := range map[string]string{
		"--read-only": "an address that is asked", "--no-attach": "attaching to a program is refused", "--allow-root=" + t.TempDir(): "",
	} {
		limited := testkit.Start(t, testkit.Options{Dir: dir, Args: []string{flag}})
		limited.Fail("POLICY_DENIED", "session_start", whole).Has(why)
	}
}
