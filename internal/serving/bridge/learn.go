package bridge

import (
	"context"
	"encoding/json"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// headerMismatch is the code with which a remote refuses a call whose headers do not
// repeat the arguments that they should. Nothing was done then.
const headerMismatch = "-32020"

// learnHeaders asks the remote for its tools, where a call was refused because its client
// has never asked, so that nobody here knew which headers it wants. False: they are not
// known now either.
func (b *bridge) learnHeaders(ctx context.Context, f, reply frame.Frame) bool {
	if f.Method() != "tools/call" || !answer.Modern(f) || string(reply.Get("error", "code")) != headerMismatch {
		return false
	}
	type params struct {
		Meta   json.RawMessage `json:"_meta"`
		Cursor string          `json:"cursor,omitempty"`
	}
	meta := f.With([]byte("null"), "params", "_meta", "progressToken").Get("params", "_meta")
	cursor := ""
	const pages = 20
	for range pages {
		list := answer.Request("aidb-bridge-tools", "tools/list", params{meta, cursor})
		told, err := b.exchange(ctx, list)
		if err != nil || told.Get("result") == nil {
			return false
		}
		b.cache.keep(list, told)
		if cursor = told.Text("result", "nextCursor"); cursor == "" {
			break
		}
	}
	return true
}
