package pool

import (
	"context"
	"encoding/json"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
)

// Workers are what a gateway puts its clients to: a pool on its own machine, or pools
// on others.
type Workers interface {
	// Place takes a place for a client. What is said to it comes to receive, which must
	// not block.
	Place(who Client, receive func(frame.Frame)) Slot
	// Named says that clients may name a workspace.
	Named() bool
	Limits() Options
	Status() Status
	Close(ctx context.Context)
}

// Client is whom a place is for.
type Client struct {
	Principal string
	Workspace string // empty: any
	Label     string // KEY=VALUE of the machine that it wants, empty: any
}

// Slot is the place of one client, as ClientSlot describes it.
type Slot interface {
	Greeted(handshake ...frame.Frame)
	Ask(ctx context.Context, f frame.Frame) *fault.Error
	Tell(f frame.Frame)
	Cancel(id json.RawMessage, cancellation frame.Frame)
	Running() bool
	Close()

	// Leave gives the client up, but its debug sessions stay for a while.
	Leave()
	// Find is who is to be asked about the session of an id: nil for this client's own
	// worker. The error is what has become of the session.
	Find(id string) (Visited, *fault.Error)
	// Others are the sessions of the same principal elsewhere, where this client's own
	// worker has none.
	Others() []handle.Entry
}

// Visited is the worker of another client of the same principal, as ClientSlot describes it.
type Visited interface {
	AskAs(ctx context.Context, f frame.Frame, receive func(frame.Frame)) (cancel func(), err *fault.Error)
}

// Place takes a place in the pool. All its workers have the same workspace.
func (p *Pool) Place(who Client, receive func(frame.Frame)) Slot {
	return p.Seat(who.Principal, receive)
}

// Named is false: the pool has one workspace.
func (p *Pool) Named() bool { return false }

// Within has the workers of a seat work in another directory than the pool's. It is
// called before the first call.
func (s *ClientSlot) Within(dir string) { s.dir = dir }

// Follow has a function told which debug sessions the seat's worker has, whenever they
// change. It is called before the first call; the function must not block.
func (s *ClientSlot) Follow(tell func([]Session)) { s.follow = tell }
