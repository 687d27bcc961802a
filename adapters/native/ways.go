package native

import (
	"context"
	"encoding/hex"
	"encoding/json"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// Placed has our script put breakpoints on the ways to a line on which the debugger puts none
// (ways.py): it takes the lowest instruction, where a panic may be unwound and nothing else.
// Where the script cannot, the debugger's own stay as they are.
func (d *lldbDialect) Placed(ctx context.Context, c adapters.Caller, list []godap.Breakpoint) {
	if d.core {
		return
	}
	ids := []int{}
	for _, b := range list {
		if b.Verified {
			ids = append(ids, b.Id)
		}
	}
	d.mu.Lock()
	none := len(ids)+len(d.ways) == 0
	d.mu.Unlock()
	if none {
		return
	}
	text, _ := json.Marshal(ids)
	var added [][2]int // ours, and the one of which it is a part
	if d.ask(ctx, c, &added, "added", hex.EncodeToString(text)) != nil {
		return
	}
	ways := map[int]int{}
	for _, a := range added {
		ways[a[0]] = a[1]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ways = ways
}
