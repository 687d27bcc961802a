package inspector

import (
	"io"
	"net"
	"syscall"
	"testing"
)

// After some questions and answers the system takes a connection for one on which
// an acknowledgement had better wait for the next message; not so a quick one.
func TestQuickConnectionsAcknowledgeAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		wrap func(*net.TCPConn) io.ReadWriter
		want int
	}{
		"quick": {func(c *net.TCPConn) io.ReadWriter { return quick{c} }, 1},
		"plain": {func(c *net.TCPConn) io.ReadWriter { return c }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l, came := listen(t, "tcp", "127.0.0.1:0")
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			other := <-came
			defer other.Close()
			go func() { _, _ = io.Copy(other, other) }()
			tcp := conn.(*net.TCPConn)
			through := c.wrap(tcp)
			b := make([]byte, 1)
			for range 50 {
				if _, err := through.Write(b); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(through, b); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := through.Write(b); err != nil { // an answer is awaited
				t.Fatal(err)
			}
			if got := quickness(t, tcp); got != c.want {
				t.Errorf("TCP_QUICKACK is %d, want %d", got, c.want)
			}
		})
	}
}

func quickness(t *testing.T, conn *net.TCPConn) (value int) {
	t.Helper()
	raw, err := conn.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	_ = raw.Control(func(fd uintptr) {
		value, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK)
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}
