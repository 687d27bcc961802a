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
func (c *common) Placed(ctx context.Context, caller adapters.Caller, list []godap.Breakpoint) {
	if c.core {
		return
	}
	ids := []int{}
	for _, b := range list {
		if b.Verified {
			ids = append(ids, b.Id)
		}
	}
	c.mu.Lock()
	none := len(ids)+len(c.ways) == 0
	c.mu.Unlock()
	if none {
		return
	}
	text, _ := json.Marshal(ids)
	var added [][2]int // ours, and the one of which it is a part
	if c.ask(ctx, caller, &added, "added", hex.EncodeToString(text)) != nil {
		return
	}
	ways := map[int]int{}
	for _, a := range added {
		ways[a[0]] = a[1]
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ways = ways
}
