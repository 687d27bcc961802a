package sockets

import (
	"net"
	"os"
	"slices"
	"testing"
)

// What the kernel answers about a socket is what its table says of it.
func TestListening(t *testing.T) {
	for _, at := range []string{"127.0.0.1:0", "0.0.0.0:0", "[::1]:0", "[::]:0"} {
		listener, err := net.Listen("tcp", at)
		if err != nil {
			t.Logf("this machine has no %s: %v", at, err)
			continue
		}
		defer listener.Close()
		asked, err := listeningSockets(os.Getpid())
		if err != nil {
			t.Skipf("this kernel is not asked: %v", err)
		}
		read, err := tables(os.Getpid(), Listening)
		if err != nil {
			t.Fatal(err)
		}
		its := func(s Socket) bool { return int(s.Local.Port()) == listener.Addr().(*net.TCPAddr).Port }
		i, j := slices.IndexFunc(asked, its), slices.IndexFunc(read, its)
		if i < 0 || j < 0 || asked[i] != read[j] {
			t.Errorf("%s: the kernel's answer %v, its table %v", at, asked, read)
		}
	}
}

// Another network is read from its table, for the kernel answers only about ours.
func TestListeningOfNoProcess(t *testing.T) {
	if list, err := listeningSockets(1 << 30); err == nil {
		t.Errorf("a process that is not there has %v", list)
	}
}
