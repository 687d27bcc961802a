package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// What a client is told grows with each notification, whatever the parts of a
// call can count, and comes to the total and not past it.
func TestProgressGrows(t *testing.T) {
	var p progress
	var got []string
	for _, step := range [][2]float64{{0, 0}, {0, 0}, {0, 3}, {1, 3}, {1, 3}, {0, 0}, {3, 3}, {0, 0}, {1, 2}, {2, 2}} {
		now, of := p.next(step[0], step[1])
		got = append(got, fmt.Sprint(now, "/", of))
	}
	want := []string{"1/0", "2/0", "2.001/5", "3/5", "3.001/5", "3.002/5", "5/5", "6/0", "7/8", "8/8"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A call knows who makes it, in both eras.
func TestClientHasAName(t *testing.T) {
	naming := callerFunc(func(_ context.Context, _ string, _ json.RawMessage, by client.Client) responses.Reply {
		return responses.Reply{JSON: fmt.Appendf(nil, `{"name":%q}`, by.Name())}
	})
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		session := connect(t, version, naming)
		if got := called(t, session, "step"); got != `{"name":"test"}` {
			t.Errorf("%s: %s", version, got)
		}
	}
}
