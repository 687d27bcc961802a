package inspector

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// scene is a watchdog between a node and a js-debug that the test plays.
type scene struct {
	t    *testing.T
	node net.Conn      // its inspector's side of the web socket
	gets *bufio.Reader // what node is sent
	from *bufio.Reader // what js-debug is told
	to   net.Conn
	over chan error // what the watchdog ends with
}

// listen accepts one connection and gives it to the test.
func listen(t *testing.T, network, address string) (net.Listener, <-chan net.Conn) {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	came := make(chan net.Conn, 1)
	go func() {
		if conn, err := l.Accept(); err == nil {
			came <- conn
		}
	}()
	return l, came
}

// watched starts a watchdog.
func watched(t *testing.T) (s *scene, inspector <-chan net.Conn) {
	t.Helper()
	ipc := filepath.Join(t.TempDir(), "ipc.sock")
	_, debugger := listen(t, "unix", ipc)
	node, inspector := listen(t, "tcp", "127.0.0.1:0")
	told, err := json.Marshal(charge{
		IPC: ipc, PID: "4711", Script: "/src/main.js", URL: "ws://" + node.Addr().String() + "/id-1",
		Waiting: true, ID: "t1", OpenerID: "t0",
	})
	if err != nil {
		t.Fatal(err)
	}
	s = &scene{t: t, over: make(chan error, 1)}
	go func() { s.over <- watch(string(told)) }()
	s.to = <-debugger
	t.Cleanup(func() { s.to.Close() })
	_ = s.to.SetDeadline(time.Now().Add(20 * time.Second))
	s.from = bufio.NewReader(s.to)
	want := fmt.Sprintf(`{"method":"Target.targetCreated","params":{"targetInfo":{"targetId":"t1","processId":4711,"type":"waitingForDebugger","title":"/src/main.js",`+
		`"url":"file:///src/main.js","openerId":"t0","attached":true,"canAccessOpener":false,"processInspectorPort":%d}}}`, node.Addr().(*net.TCPAddr).Port)
	s.hears(want)
	return s, inspector
}

// attach has js-debug attach, and node take the web socket.
func (s *scene) attach(inspector <-chan net.Conn) {
	s.t.Helper()
	s.says(`{"id":1,"method":"Target.attachToTarget","params":{"targetId":"t1"}}`)
	s.accept(<-inspector)
	s.hears(`{"id":1,"result":{"sessionId":"t1"}}`)
}

func (s *scene) accept(conn net.Conn) {
	s.t.Helper()
	s.t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	s.node, s.gets = conn, bufio.NewReader(conn)
	for first := true; ; first = false {
		line, err := s.gets.ReadString('\n')
		if err != nil || first && line != "GET /id-1 HTTP/1.1\r\n" {
			s.t.Fatalf("the web socket begins with %q, %v", line, err)
		}
		if line == "\r\n" {
			break
		}
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
}

func (s *scene) says(text string) {
	if _, err := s.to.Write(append([]byte(text), 0)); err != nil {
		s.t.Error(err)
	}
}

func (s *scene) hears(want string) {
	s.t.Helper()
	if text, err := s.from.ReadString(0); err != nil || strings.TrimSuffix(text, "\x00") != want {
		s.t.Fatalf("js-debug is told %q, %v\nwant %q", text, err, want)
	}
}

// nodeGets reads one frame of a client, which is masked.
func (s *scene) nodeGets() (kind byte, text string) {
	s.t.Helper()
	read := func(n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(s.gets, b); err != nil {
			s.t.Fatal(err)
		}
		return b
	}
	head := read(2)
	length := int(head[1] & 0x7f)
	switch length {
	case 126:
		b := read(2)
		length = int(b[0])<<8 | int(b[1])
	case 127:
		b := read(8)
		length = int(b[4])<<24 | int(b[5])<<16 | int(b[6])<<8 | int(b[7])
	}
	mask, body := read(4), read(length)
	for i := range body {
		body[i] ^= mask[i%4]
	}
	return head[0] & 0xf, string(body)
}

// nodeSays writes one frame of a server; the last of a message has the highest bit.
func (s *scene) nodeSays(first byte, text string) {
	frame := []byte{first}
	switch n := len(text); {
	case n < 126:
		frame = append(frame, byte(n))
	case n < 1<<16:
		frame = append(frame, 126, byte(n>>8), byte(n))
	default:
		frame = append(frame, 127, 0, 0, 0, 0, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	_, _ = s.node.Write(append(frame, text...))
}

func (s *scene) ends() error {
	s.t.Helper()
	select {
	case err := <-s.over:
		return err
	case <-time.After(20 * time.Second):
		s.t.Fatal("the watchdog stays")
		return nil
	}
}

func TestWatchdogPassesOnWhatBothSay(t *testing.T) {
	s, inspector := watched(t)
	s.attach(inspector)
	for _, n := range []int{10, 125, 126, 1000, 65_535, 65_536, 300_000} {
		text := `{"id":2,"method":"` + strings.Repeat("m", n) + `"}`
		go s.says(text)
		if kind, got := s.nodeGets(); kind != frameText || got != text {
			t.Fatalf("node gets a frame %x of %d bytes, want %d", kind, len(got), len(text))
		}
		go s.nodeSays(0x80|frameText, text)
		s.hears(text)
	}
	s.nodeSays(frameText, `{"id":`)
	s.nodeSays(0x80|framePing, "?")
	if kind, text := s.nodeGets(); kind != framePong || text != "?" {
		t.Errorf("a ping is answered with %x %q", kind, text)
	}
	s.nodeSays(0x80|frameRest, "3}")
	s.hears(`{"id":3}`)
	s.node.Close()
	s.hears(`{"method":"Target.targetDestroyed","params":{"targetId":"t1","sessionId":"t1"}}`)
	if err := s.ends(); err != nil {
		t.Error(err)
	}
}

// Passed on to node, the request hung one program in five at its end.
func TestDetachingHangsUpOnNode(t *testing.T) {
	s, inspector := watched(t)
	s.attach(inspector)
	s.says(`{"id":9,"method":"Target.detachFromTarget","params":{"sessionId":"t1"}}`)
	s.hears(`{"id":9,"result":{}}`)
	if kind, text := s.nodeGets(); kind != frameClose {
		t.Errorf("node gets a frame %x: %q, want the goodbye", kind, text)
	}
	s.nodeSays(0x80|frameClose, "")
	s.hears(`{"method":"Target.targetDestroyed","params":{"targetId":"t1","sessionId":"t1"}}`)
	if err := s.ends(); err != nil {
		t.Error(err)
	}
}

func TestWatchdogGoesWithJSDebug(t *testing.T) {
	s, inspector := watched(t)
	s.attach(inspector)
	s.to.Close()
	if kind, _ := s.nodeGets(); kind != frameClose {
		t.Errorf("node gets a frame %x, want the goodbye", kind)
	}
	s.nodeSays(0x80|frameClose, "")
	_ = s.ends()
}

// Nobody would ever let the program begin.
func TestProgramOfADebuggerThatNeverCameRuns(t *testing.T) {
	s, inspector := watched(t)
	s.to.Close()
	s.accept(<-inspector)
	if _, text := s.nodeGets(); !strings.Contains(text, "Runtime.runIfWaitingForDebugger") {
		t.Errorf("node gets %s", text)
	}
	s.nodeSays(0x80|frameText, `{"id":1,"result":{}}`)
	_ = s.ends()
}
