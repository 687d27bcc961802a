//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/wire"
)

// together lists the threads that stand, beside the current one, at a breakpoint
// whose condition and count hold: Delve's session tells of one, and lets all of
// them go on. What logpoints write it has written for each.
func together(t *target, _ struct{}) (wire.TogetherBody, error) {
	body := wire.TogetherBody{Stops: []wire.TogetherStop{}}
	for _, th := range t.ThreadList() {
		at := th.Breakpoint()
		if th.ThreadID() == t.CurrentThread().ThreadID() || at.Breakpoint == nil || !at.Active || at.Stepping {
			continue
		}
		logical := at.Logical
		if logical == nil || logical.LogicalID < 1 || logical.Tracepoint {
			continue
		}
		g, err := proc.GetG(th)
		if err != nil || g == nil {
			continue
		}
		body.Stops = append(body.Stops, wire.TogetherStop{Goroutine: int(g.ID), Breakpoints: []int{logical.LogicalID}})
	}
	return body, nil
}
