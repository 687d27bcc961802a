package ruby

import (
	"context"

	"aidb-mcp/adapters"
)

// expression is evaluated as it is written, or by boot/peeking.rb where nothing of the
// program's is to run.
func expression(ctx context.Context, _ adapters.Caller, _ int, expr string) (rewritten, kind string, err error) {
	if adapters.IsReading(ctx) {
		return expr, "aidb/peek", nil
	}
	return expr, "watch", nil
}
