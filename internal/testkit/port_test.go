//go:build linux

package testkit

import (
	"errors"
	"net"
	"syscall"
	"testing"
)

// A port is its test's: others who ask for any never get it, and who names it can
// listen there, again and again, with no one at it in between.
func TestPort(t *testing.T) {
	t.Parallel()
	port := Port(t)
	for range 2 {
		if conn, err := net.Dial("tcp", Address(port)); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatalf("somebody answers at the port: %v, %v", conn, err)
		}
		l, err := net.Listen("tcp", Address(port))
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", Address(port))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		_ = l.Close()
	}
	everywhere, err := net.Listen("tcp", Address(port)[len("127.0.0.1"):])
	if err != nil {
		t.Fatal(err)
	}
	_ = everywhere.Close()
	var all []net.Listener
	defer func() {
		for _, l := range all {
			_ = l.Close()
		}
	}()
	for range 400 { // a few at a time would come by it seldom
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
		if l.Addr().(*net.TCPAddr).Port == port {
			t.Fatal("another was given the port")
		}
	}
}
