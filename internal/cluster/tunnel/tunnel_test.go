package tunnel

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"testing"
	"time"

	"aidb-mcp/internal/cluster/wire"
)

// pair are two ends, each with a line to the other.
func pair(t *testing.T) (near, far *Conn, over <-chan struct{}) {
	t.Helper()
	closed := make(chan struct{})
	near, far = New(func() { close(closed) }), New(func() {})
	var a, b *wire.Line
	to := func(end **wire.Line) func([]byte) error {
		return func(packet []byte) error {
			p, err := wire.Decode(bytes.Clone(packet))
			if err == nil {
				go (*end).Take(p)
			}
			return err
		}
	}
	a = wire.New(wire.Options{Name: "one", Send: to(&b), Deliver: near.Hear})
	b = wire.New(wire.Options{Name: "one", Send: to(&a), Deliver: far.Hear})
	near.Over(a)
	far.Over(b)
	t.Cleanup(func() { a.Close(); b.Close() })
	return near, far, closed
}

// What is written at one end is read at the other, whole and in order, until that is closed.
func TestBytesPass(t *testing.T) {
	near, far, over := pair(t)
	want := make([]byte, 3<<20)
	_, _ = rand.Read(want)
	go func() {
		for rest := want; len(rest) > 0; {
			n, err := near.Write(rest[:min(len(rest), 40_000)])
			if err != nil {
				t.Error(err)
				return
			}
			rest = rest[n:]
		}
		near.Close()
	}()
	got, err := io.ReadAll(far)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d of %d bytes have come: %v", len(got), len(want), err)
	}
	<-over
	if _, err := near.Write([]byte("late")); err == nil {
		t.Error("a closed end can be written to")
	}
}

// Who does not read is not waited for without a bound.
func TestUnread(t *testing.T) {
	near, far, _ := pair(t)
	for range mostUnread/flushEvery + 4 {
		if _, err := near.Write(make([]byte, flushEvery)); err != nil {
			break
		}
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if _, err := far.Read(make([]byte, 1<<20)); errors.Is(err, ErrUnread) {
			return
		}
	}
	t.Error("it is kept for ever")
}
