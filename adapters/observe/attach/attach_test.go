package attach

import (
	"context"
	"testing"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/recording/live"
)

// closable is a recorder that counts how often it was closed.
type closable struct{ closed int }

func (c *closable) Read(int) ([]live.Row, live.State) { return nil, live.State{} }

func (c *closable) Close() live.State {
	c.closed++
	return live.State{}
}

// A recorder that comes into the program while the session ends does not stay there.
func TestKeepBehindTheEnd(t *testing.T) {
	t.Parallel()
	var k Kept
	before, behind := &closable{}, &closable{}
	if r, err := k.Keep(before, nil); r != adapters.Recorder(before) || err != nil {
		t.Fatal(r, err)
	}
	if _, err := k.Keep(nil, context.Canceled); err == nil {
		t.Error("an error was swallowed")
	}
	k.Close()
	if r, err := k.Keep(behind, nil); r != nil || err == nil || behind.closed != 1 || before.closed != 1 {
		t.Errorf("got %v, %v; closed %d and %d times", r, err, before.closed, behind.closed)
	}
}
