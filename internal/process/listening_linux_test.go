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

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"0100007F:1F90":                         "127.0.0.1:8080",
		"00000000:0050":                         "0.0.0.0:80",
		"00000000000000000000000001000000:0BB8": "[::1]:3000",
		"00000000000000000000000000000000:0BB8": "[::]:3000",
		"0000000000000000FFFF00000100007F:0001": "127.0.0.1:1",
	} {
		if got, ok := parseAddress(text); !ok || got.String() != want {
			t.Errorf("%s is %v, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "01:02", "0100007F:10000", "local_address:x"} {
		if got, ok := parseAddress(text); ok {
			t.Errorf("%s is %v", text, got)
		}
	}
}
