//go:build !linux || !amd64

package sample

import (
	"context"
	"time"

	"aidb-mcp/internal/profiling"
)

// Stood is where threads stood.
type Stood struct {
	Profile *profiling.Builder
	Looks   int
	Threads int
	Partial int64
	Blind   int64
	Skipped int64
	Lasted  time.Duration
}

// Stand cannot be done here.
func Stand(context.Context, int, time.Duration, <-chan struct{}) (*Stood, error) {
	return nil, ErrUnsupported
}
