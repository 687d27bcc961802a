package netstat

import (
	"net"
	"os"
	"slices"
	"testing"
)

// A server that has closed its listener after the first client, as debuggers for one
// client do, tells who that is.
func TestClients(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	if accepts, clients := Clients(port); !accepts || clients != nil {
		t.Errorf("with nobody: %v, %v", accepts, clients)
	}
	near, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	listener.Close()
	accepts, clients := Clients(port)
	if accepts || len(clients) != 1 || clients[0].PID != os.Getpid() || clients[0].Address.String() != near.LocalAddr().String() {
		t.Errorf("with one: %v, %v", accepts, clients)
	}
	if peers := Peers(os.Getpid()); !slices.Contains(peers, os.Getpid()) {
		t.Errorf("it is connected to itself, not to %v", peers)
	}
	near.Close()
	if _, clients := Clients(port); clients != nil {
		t.Errorf("when it has gone: %v", clients)
	}
}
