package delve

import (
	"context"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
)

// Together asks which other goroutines have come to a breakpoint in the same
// moment: Delve tells of one.
func (*local) Together(ctx context.Context, c adapters.Caller, event godap.StoppedEventBody) (adapters.Gathered, error) {
	var body wire.TogetherBody
	if err := c.Call(ctx, wire.Together, struct{}{}, &body); err != nil {
		return adapters.Gathered{}, err
	}
	var found adapters.Gathered
	for _, s := range body.Stops {
		if s.Goroutine != event.ThreadId {
			found.Others = append(found.Others, godap.StoppedEventBody{
				Reason: "breakpoint", ThreadId: s.Goroutine, HitBreakpointIds: s.Breakpoints, PreserveFocusHint: true,
			})
		}
	}
	return found, nil
}
