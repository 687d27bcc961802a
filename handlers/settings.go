package handlers

import "aidb-mcp/session"

// Settings are the limits and switches that config shows. The command line
// fills them in.
type Settings struct {
	Version    string // of aidb-mcp
	Limits     session.Limits
	ReplyBytes int // of a reply that names no max_bytes; 0 is the contract's default
}

// defaultBudget is the contract's size of a reply.
const defaultBudget = 8000

// budget is how many bytes the reply to a call may take.
func (h *Handlers) budget(params any) int {
	asked := defaultBudget
	if p, ok := params.(interface{ Budget() int }); ok {
		asked = p.Budget()
	}
	if asked == defaultBudget && h.Settings != nil && h.Settings.ReplyBytes > 0 {
		return h.Settings.ReplyBytes
	}
	return asked
}
