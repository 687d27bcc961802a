package sockets

import (
	"net"
	"net/netip"
	"os"
	"runtime"
	"slices"
	"testing"
)

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

// Both ends of a connection stand in the table, and what accepts connections.
func TestOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system tells no sockets")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	near, far := netip.MustParseAddrPort(conn.LocalAddr().String()), netip.MustParseAddrPort(listener.Addr().String())
	all, err := Of(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	has := func(list []Socket, local, remote netip.AddrPort, state State) bool {
		return slices.ContainsFunc(list, func(s Socket) bool {
			return s.Local == local && s.Remote == remote && s.State == state && s.UID == os.Getuid()
		})
	}
	if none := netip.MustParseAddrPort("0.0.0.0:0"); !has(all, near, far, Connected) || !has(all, far, none, Listening) {
		t.Errorf("%v and %v are not among %v", near, far, all)
	}
	listening, _ := Of(os.Getpid(), Listening)
	if has(listening, near, far, Connected) || len(listening) == 0 {
		t.Errorf("listening are %v", listening)
	}
}
