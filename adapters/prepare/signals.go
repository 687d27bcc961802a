package prepare

import (
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// Signallable refuses a process that a debugger may trace and not send signals to: it would be
// killed by what the debugger leaves behind.
func Signallable(pid int) error { return refuse(pid, process.SignalBarrier(pid)) }

// Injectable refuses a process that code cannot be put into without harm.
func Injectable(pid int) error { return refuse(pid, process.InjectionBarrier(pid)) }

func refuse(pid int, b *process.Barrier) error {
	if b == nil {
		return nil
	}
	return fault.New(fault.InvalidParam, "process %d cannot be attached to: %s", pid, b.Why).WithField("pid").WithHint("%s", b.Remedy)
}
