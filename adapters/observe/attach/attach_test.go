package attach

import (
	"context"
	"sync"
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
	var k ArmedRecorders
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

// meeting is a recorder that is only taken out when all others are being taken out, too.
type meeting struct {
	closable
	all *sync.WaitGroup
}

func (m *meeting) Close() live.State {
	m.all.Done()
	m.all.Wait()
	return m.closable.Close()
}

// Recorders in a program that stands still are not waited for one after another.
func TestAllAreTakenOutAtOnce(t *testing.T) {
	t.Parallel()
	const many = 8
	var k ArmedRecorders
	var all sync.WaitGroup
	all.Add(many)
	for range many {
		if _, err := k.Keep(&meeting{all: &all}, nil); err != nil {
			t.Fatal(err)
		}
	}
	k.Close()
	for _, r := range k.list {
		if n := r.(*meeting).closed; n != 1 {
			t.Errorf("closed %d times", n)
		}
	}
}
