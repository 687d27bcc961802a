package engine

import (
	"bytes"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"aidb-mcp/internal/cluster/span"
)

// A key that is used by two at once may have been copied; one that comes back has not.
func TestAKeyThatIsUsedTwice(t *testing.T) {
	members, err := NewMembers(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	e, err := Start(Options{Members: members, Log: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Shutdown)
	join := func(name string, key nkeys.KeyPair) *nats.Conn {
		t.Helper()
		nc, err := span.Connect(span.Dial{URL: "nats://embedded", Role: span.Machine, Name: name, Key: key, Server: e, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nc.Close)
		return nc
	}
	twice := func() int { return strings.Count(said.String(), "has connected twice") }
	var keys []nkeys.KeyPair
	for _, name := range []string{"one", "two"} {
		key, err := nkeys.CreateUser()
		if err == nil {
			err = e.Own(key, span.Machine, name, "")
		}
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}

	join("two", keys[1])
	first := join("one", keys[0])
	if twice() != 0 {
		t.Errorf("nobody has come twice: %s", said.String())
	}
	second := join("one", keys[0])
	if twice() != 1 {
		t.Errorf("one has come twice: %s", said.String())
	}
	for _, nc := range []*nats.Conn{first, second} {
		nc.Close()
	}
	for e.NumClients() > 1 { // until the server has seen it
		runtime.Gosched()
	}
	join("one", keys[0])
	if twice() != 1 {
		t.Errorf("it has come back: %s", said.String())
	}
	if len(e.door.by) != 2 || len(e.door.with) != 2 {
		t.Errorf("%d owners of %d connections are remembered, want 2 of 2", len(e.door.by), len(e.door.with))
	}
}
