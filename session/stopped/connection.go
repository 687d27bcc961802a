package stopped

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
)

// Connection is how a part of the program is asked: thread ids are ours, of which
// each connection knows what its adapter calls them.
type Connection interface {
	adapters.Caller
	Name() string // of a child session, for people
	AdapterThread(thread int) int
	OurThread(thread int) int
	Capabilities() godap.Capabilities
	// Threads lists the connection's threads with our ids, and Claim remembers that
	// threads belong to it.
	Threads(ctx context.Context) ([]godap.Thread, error)
	Claim(threads []godap.Thread)
	// StackTrace asks for a thread's frames. Of one at an instruction that was made from
	// no line the first has none.
	StackTrace(thread, start, levels int) PendingFrames
	IsLineless(thread int) bool
	// ExpectPause says that a pause is asked for.
	ExpectPause()
}

// PendingFrames is a question for a thread's frames.
type PendingFrames struct {
	Pending  *dap.Pending
	Tidy     func(godap.StackFrame) godap.StackFrame // nil when frames are shown as they come
	Lineless bool                                    // the first one has no line, whatever is said of it
}

// Wait returns the frames, and how many there are in all if the adapter says so.
func (p PendingFrames) Wait(ctx context.Context) (frames []godap.StackFrame, total int, err error) {
	var body godap.StackTraceResponseBody
	err = p.Pending.Wait(ctx, &body)
	if p.Tidy != nil {
		for i, f := range body.StackFrames {
			body.StackFrames[i] = p.Tidy(f)
		}
	}
	if p.Lineless && len(body.StackFrames) > 0 {
		body.StackFrames[0].Line, body.StackFrames[0].Column = 0, 0
	}
	return body.StackFrames, body.TotalFrames, err
}

// pendingVariables is a variables request under way.
type pendingVariables struct{ *dap.Pending }

func askVariables(k Connection, args godap.VariablesArguments) pendingVariables {
	return pendingVariables{k.Send("variables", args)}
}

func (p pendingVariables) wait(ctx context.Context) ([]godap.Variable, error) {
	var body godap.VariablesResponseBody
	err := p.Wait(ctx, &body)
	return body.Variables, err
}
