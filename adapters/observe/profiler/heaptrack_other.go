//go:build !linux

package profiler

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
)

// runHeap is refused: heaptrack is for Linux.
func (Language) runHeap(_ process.Spec, release func()) (*adapters.ProfiledRun, error) {
	release()
	return nil, noMemory()
}
