package pool

import (
	"time"

	"aidb-mcp/internal/mcp/frame"
)

// Brief is what must be known of a request until it is answered, for who passes it on.
type Brief struct{ call *call }

// NewBrief begins to count its time.
func NewBrief(f frame.Frame) Brief {
	kept, cut := brief(f)
	return Brief{&call{request: kept, cut: cut, size: len(f.Bytes()), begun: time.Now()}}
}

// Frame is the request, or an outline of one that is long.
func (b Brief) Frame() frame.Frame { return b.call.request }

// Called is what an observer is told of it with its answer.
func (b Brief) Called(reply frame.Frame) Called { return calledOf(b.call, reply) }
