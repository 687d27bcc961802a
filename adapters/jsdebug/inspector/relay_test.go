package inspector

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/testkit"
)

// relayed is a relay with a connection through it.
func relayed(t *testing.T) (r *Relay, near, far net.Conn) {
	t.Helper()
	node, came := listen(t, "tcp", "127.0.0.1:0")
	socket := filepath.Join(t.TempDir(), "s")
	r, err := NewRelay(socket, node.Addr().String(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	if near, err = net.Dial("unix", socket); err != nil {
		t.Fatal(err)
	}
	far = <-came
	t.Cleanup(func() { near.Close(); far.Close() })
	for _, c := range []net.Conn{near, far} {
		_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	}
	return r, near, far
}

func TestRelayPassesOnInBothDirections(t *testing.T) {
	_, near, far := relayed(t)
	text := strings.Repeat("as it came. ", 50_000)
	for from, to := range map[net.Conn]net.Conn{near: far, far: near} {
		go func() { _, _ = io.WriteString(from, text) }()
		got := make([]byte, len(text))
		if _, err := io.ReadFull(to, got); err != nil || string(got) != text {
			t.Fatalf("%d bytes came otherwise: %v", len(got), err)
		}
	}
}

func TestRelayHangsUpWithEitherSide(t *testing.T) {
	_, near, far := relayed(t)
	near.Close()
	if _, err := far.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("node is told %v, want the end", err)
	}
	_, near, far = relayed(t)
	far.Close()
	if _, err := near.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("js-debug is told %v, want the end", err)
	}
}

// Node dies where it is hung up on while it writes: it is heard, and made silent, first.
func TestTheRelayHearsNodeToItsEnd(t *testing.T) {
	_, near, far := relayed(t)
	debugger := &socket{conn: near, in: bufio.NewReader(near)}
	joined := make(chan error, 1)
	go func() { joined <- debugger.shakeHands(&url.URL{Path: "/"}) }()
	in := bufio.NewReader(far)
	if _, err := handshake(io.Discard, in); err != nil {
		t.Fatal(err)
	}
	node := &socket{conn: far}
	if _, err := io.WriteString(far, "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-joined; err != nil {
		t.Fatal(err)
	}
	if err := debugger.send([]byte(`{"id":1,"method":"Runtime.enable"}`)); err != nil {
		t.Fatal(err)
	}
	near.Close()
	var asked []string
	for {
		err := frame(io.Discard, in, func(_ byte, text []byte) bool {
			var request message
			if err := json.Unmarshal(text, &request); err != nil {
				t.Error(err)
			}
			asked = append(asked, request.Method)
			for range 100 { // much is on its way to nobody
				if err := node.send([]byte(`{"method":"Runtime.consoleAPICalled","params":"` + strings.Repeat("x", 10_000) + `"}`)); err != nil {
					t.Fatalf("after %q: %v", asked, err)
				}
			}
			if err := node.send(fmt.Appendf(nil, `{"id":%d,"result":{}}`, request.ID)); err != nil {
				t.Fatalf("after %q: %v", asked, err)
			}
			return true
		})
		if err != nil {
			break
		}
	}
	if diff := cmp.Diff(append([]string{"Runtime.enable"}, silenced...), asked); diff != "" {
		t.Errorf("what node is asked (-want +got):\n%s", diff)
	}
}

func TestClosedRelayHasNobodyWaiting(t *testing.T) {
	r, near, far := relayed(t)
	r.Close()
	for _, c := range []net.Conn{near, far} {
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("a connection is still open")
		}
	}
}

func TestRelayToNobodyHangsUp(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	r, err := NewRelay(socket, testkit.Address(testkit.Port(t)), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	near, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	if _, err := near.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("%v, want the end", err)
	}
}
