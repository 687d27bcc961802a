package mcpserver

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
)

// isLate says that a call should have begun before now. It came through a cluster, whose gateway may
// have given it up and told its client so: it must not begin any more.
func isLate(meta map[string]any, now time.Time) bool {
	before, is := meta[client.BeforeKey].(float64)
	return is && now.UnixMilli() > int64(before)
}

// maxLate bounds the reply to such a call, in bytes.
const maxLate = 2000

func lateResult() *mcp.CallToolResult {
	err := fault.New(fault.WorkerGone, "the call reached its worker too late, when its gateway may have given it up; it has not begun and will not").
		WithHint("call again; nothing was done")
	return resultOf(responses.Fit(responses.Failure(err), maxLate, responses.Both))
}
