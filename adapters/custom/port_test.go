package custom

import (
	"net"
	"strconv"
	"testing"
)

// The port of an adapter is none that the system may give to another process before
// the adapter has it.
func TestFreePort(t *testing.T) {
	given := firstEphemeralPort()
	if given < 2*1024 {
		t.Skipf("here the system gives nearly all ports to whoever asks for any, from %d on", given)
	}
	for range 50 {
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		if port >= given {
			t.Fatalf("the port %d may be given to another", port)
		}
		l, err := net.Listen("tcp", net.JoinHostPort(local, strconv.Itoa(port)))
		if err != nil {
			t.Fatalf("the port %d is not free: %v", port, err)
		}
		_ = l.Close()
	}
}
