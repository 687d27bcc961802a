package netstat

import (
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
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

// A server that has forked before it accepts is answered for by its children; they, by their
// parent and by each other.
func TestSharing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var children []int
	for _, files := range [][]*os.File{{file}, {file}, nil} { // the last one has no part in it
		child := exec.Command("sleep", "60")
		child.ExtraFiles = files
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
		children = append(children, child.Process.Pid)
	}
	for pid, want := range map[int][]int{os.Getpid(): children[:2], children[0]: {children[1], os.Getpid()}, children[2]: nil} {
		var got []int
		for _, o := range Sharing(pid, Listening(pid)) {
			got = append(got, o.PID)
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("beside %d: %v, want %v", pid, got, want)
		}
	}
}
