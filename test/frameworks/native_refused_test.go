//go:build linux

package frameworks

import (
	"net"
	"testing"

	"aidb-mcp/internal/testkit"
)

// TestPortInUse: a server that ends before it listens shows what it says of that.
func TestPortInUse(t *testing.T) {
	t.Parallel()
	testkit.Adapters(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p := testkit.NewProgramOf(t, "frameworks", "cargo-workspace")
	s := testkit.Start(t, testkit.Options{Dir: p.Dir})
	web := sample{Init: A{"mode": "launch"}}
	tool, call := web.proposal(t, s)
	call["env"], call["timeout_ms"] = A{"PORT": port}, longest
	r := s.OK(tool, call)
	r.Want("terminated", "data", "execution_state", "status").Want("1", "data", "execution_state", "exit_code").Has("Address already in use")
	if told := r.At("data", "listening"); told != "" {
		t.Errorf("it is told to listen at %s", told)
	}
}
