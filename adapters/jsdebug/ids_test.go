package jsdebug

import (
	"slices"
	"testing"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// js-debug may count breakpoints from 0, which the engine takes for no id.
func TestIDsOfBreakpointsBeginAtOne(t *testing.T) {
	d := newDialect(job{Request: adapters.Request{}})
	b := godap.Breakpoint{Id: 0}
	d.Bound(&b)
	e := godap.StoppedEventBody{Reason: "breakpoint", HitBreakpointIds: []int{0, 3}}
	stop := d.Stopped(e)
	if b.Id != 1 || !slices.Equal(stop.Hit, []int{1, 4}) || !slices.Equal(e.HitBreakpointIds, []int{0, 3}) {
		t.Errorf("id %d, hit %v out of %v", b.Id, stop.Hit, e.HitBreakpointIds)
	}
}
