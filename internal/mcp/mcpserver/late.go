package mcpserver

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// isLate says that a call should have begun before now: a cluster has passed it on, and may
// have told its client meanwhile that nobody knows of it. It never begins then.
func isLate(meta map[string]any, now time.Time) bool {
	before, is := meta[client.BeforeKey].(float64)
	return is && now.UnixMilli() > int64(before)
}

// maxLate is how long the answer to such a call is at most, in bytes.
const maxLate = 2000

func lateResult() *mcp.CallToolResult {
	err := fault.New(fault.WorkerGone, "the call has come to its worker too late, when its gateway may have given it up; it has not begun, and will not").
		WithHint("call again")
	return resultOf(responses.Fit(responses.Failure(err), maxLate, responses.Both))
}
