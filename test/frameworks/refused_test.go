//go:build linux

package frameworks

import (
	"net"
	"testing"

	"aidb-mcp/internal/testkit"
)

// takenPort is one on which something listens already.
func takenPort(t *testing.T) string {
	t.Helper()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestPortInUse: a server that ends before it listens shows what it says of that.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramOf(t, "frameworks", "cargo-workspace")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	web := sample{Init: A{"mode": "launch"}}
	tool, call := web.proposal(t, s)
	call["env"], call["timeout_ms"] = A{"PORT": takenPort(t)}, longest
	refused(t, s.OK(tool, call), "1", "Address already in use")
}

// TestRefusedServers: those of other languages do so too, and are stopped before they end
// at the exception that nothing catches.
func TestRefusedServers(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	p := testkit.NewProgramOf(t, "frameworks", "refused")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	port := takenPort(t)
	for _, c := range []struct{ target, stops, says string }{
		{"serve.py", "OSError: [Errno 98] Address already in use, at serve.py:11 in main", "Address already in use"},
		{"serve.js", "listen EADDRINUSE: address already in use", "EADDRINUSE"},
		{"Serve.java", "BindException: Address already in use, at Serve.java:11 in Serve.main", "java.net.BindException: Address already in use"},
	} {
		start := A{"target": c.target, "args": []string{port}, "timeout_ms": longest}
		s.OK("session_start", start).Want("stopped_at_exception", "data", "execution_state", "status").Has(c.stops)
		refused(t, s.OK("execute", nil), "1", c.says)
		start["args"] = []string{port, "early"}
		refused(t, s.OK("session_start", start), "3", "no settings: PAGES is missing")
	}
}

// refused holds the reply of a server that has ended by itself.
func refused(t *testing.T, r testkit.Reply, code, says string) {
	t.Helper()
	r.Want("terminated", "data", "execution_state", "status").Want(code, "data", "execution_state", "exit_code").Has(says)
	if told := r.At("data", "listening"); told != "" {
		t.Errorf("it is told to listen at %s", told)
	}
}
