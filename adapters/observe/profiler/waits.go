package profiler

import (
	"context"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
)

func (l Language) takeWaits(context.Context, adapters.Profiled, profiling.Wish) (*profiling.Profile, error) {
	return nil, fault.New(fault.NotSupported, "where threads stand is not sampled of a program of machine code").WithField("what").
		WithHint("execute(pause), then inspect(threads) shows where each stands")
}
