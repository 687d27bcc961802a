package bridge

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"aidb-mcp/internal/system/sockets"
)

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0F3C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  4711        0 101 1 0 100 0 0 10 0
   1: 00000000:0F3D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  4711        0 102 1 0 100 0 0 10 0
   2: 0100007F:0F3D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 103 1 0 100 0 0 10 0
   3: 0100007F:0F3E 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 104 1 0 100 0 0 10 0
   4: 0100007F:0F3E 0100007F:8000 01 00000000:00000000 00:00000000 00000000  4711        0 105 1 0 100 0 0 10 0
   5: 0100007F:0F3E 0100007F:8001 01 00000000:00000000 00:00000000 00000000  4711        0 0 1 0 100 0 0 10 0
`

func TestWhoListens(t *testing.T) {
	for _, tt := range []struct {
		far, near string
		says      string
	}{
		{"127.0.0.1:3900", "127.0.0.1:32768", "uid 4711"},
		{"127.0.0.1:3901", "127.0.0.1:32768", ""},         // root's, beside a stranger that listens everywhere
		{"127.0.0.2:3901", "127.0.0.1:32768", "uid 4711"}, // where only the stranger listens
		{"127.0.0.1:3902", "127.0.0.1:32768", "uid 4711"}, // accepted by one that listens no more
		{"127.0.0.1:3902", "127.0.0.1:32769", ""},
		{"127.0.0.1:3999", "127.0.0.1:32768", "nobody"},
		{"[::1]:3901", "[::1]:32768", "nobody"},
	} {
		var o owners
		o.read(sockets.Read(table), netip.MustParseAddrPort(tt.far), netip.MustParseAddrPort(tt.near))
		if err := o.stranger(); (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.far, err, tt.says)
		}
	}
}

// The local token is shown to a server of this user, at any kind of address.
func TestOurOwnServer(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0", "[::]:0", "unix:" + t.TempDir() + "/s"} {
		network := "tcp"
		path, isSocket := strings.CutPrefix(address, "unix:")
		if isSocket {
			network, address = "unix", path
		}
		l, err := net.Listen(network, address)
		if err != nil {
			t.Log(err) // a machine without IPv6
			continue
		}
		defer l.Close()
		c, err := net.Dial(network, l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := stranger(c); err != nil {
			t.Errorf("%s: %v", l.Addr(), err)
		}
	}
}

// Another user that has taken the port of this user's server is told nothing.
func TestAServerOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Fatal("only root can be another user: run the tests as root, as CI does")
	}
	var plain net.ListenConfig
	plain.SetMultipathTCP(false) // whose owner cannot be changed
	l, err := plain.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	file, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := syscall.Fchown(int(file.Fd()), 4711, 4711); err != nil { // as if uid 4711 had made it
		t.Fatal(err)
	}
	defer file.Close()
	again, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 10)
	server := &httptest.Server{Listener: again, Config: &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		told <- r.Header.Get("Authorization")
	})}}
	server.Start()
	defer server.Close()
	n := connect(t, Options{URL: "http://" + address, Token: "secret", Own: true})
	reply, _ := n.ask("c", "tools/call", `{"name":"echo"}`)
	if why := down(reply); !strings.Contains(why, "another user (uid 4711)") || !strings.Contains(string(reply.Bytes()), "this call was not made") {
		t.Errorf("%s", reply.Bytes())
	}
	select {
	case token := <-told:
		t.Errorf("it was shown %q", token)
	case <-time.After(100 * time.Millisecond):
	}
}
