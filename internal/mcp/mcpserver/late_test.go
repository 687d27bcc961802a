package mcpserver

import (
	"testing"
	"time"

	"aidb-mcp/internal/mcp/client"
)

func TestLateCalls(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000)
	for name, c := range map[string]struct {
		meta map[string]any
		late bool
	}{
		"says nothing":   {nil, false},
		"in time":        {map[string]any{client.BeforeKey: 1_800_000_000_001.0}, false},
		"late":           {map[string]any{client.BeforeKey: 1_799_999_999_999.0}, true},
		"a client's own": {map[string]any{client.BeforeKey: "soon"}, false},
	} {
		if isLate(c.meta, now) != c.late {
			t.Errorf("%s: %t", name, !c.late)
		}
	}
	if r := lateResult(); !r.IsError {
		t.Error("it is no error")
	}
}
