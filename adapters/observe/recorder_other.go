//go:build !linux || !amd64

package observe

import (
	"context"

	"aidb-mcp/internal/recording/live"
)

// Recorder is what is armed in a program: nothing, on this system.
type Recorder struct{}

// Arm refuses.
func Arm(context.Context, int, live.Spec) (*Recorder, error) { return nil, ErrUnsupported }

// Read has nothing.
func (*Recorder) Read(int) ([]live.Row, live.State) { return nil, live.State{} }

// Close does nothing.
func (*Recorder) Close() live.State { return live.State{} }
