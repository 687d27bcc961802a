package inspector

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
