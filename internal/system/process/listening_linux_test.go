package process

import (
	"net"
	"net/netip"
	"os"
	"testing"
)

func TestListening(t *testing.T) {
	before := len(Listening(os.Getpid()))
	for _, at := range []string{"127.0.0.1:0", "[::1]:0", ":0"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		want := netip.MustParseAddrPort(l.Addr().String())
		found := Listening(os.Getpid())
		if len(found) != before+1 || found[len(found)-1].Address != want && found[0].Address != want {
			t.Errorf("%s: %v, want %v", at, found, want)
		}
		if port := int(want.Port()); Listener(port) != os.Getpid() {
			t.Errorf("at port %d listens %d", port, Listener(port))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left := Listening(os.Getpid()); len(left) != before {
		t.Errorf("left: %v", left)
	}
}
