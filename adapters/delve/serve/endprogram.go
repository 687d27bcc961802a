//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"github.com/go-delve/delve/pkg/proc"
)

// endProgram ends a program that stands at an unrecovered panic or a fatal error
// and is continued: it ends now. Other goroutines may have come to the same
// point at the same moment, and stopping at each of them tells nothing new.
func (f *front) endProgram() {
	if f.dbg.IsRunning() || !f.isDying() {
		return
	}
	for _, name := range []string{proc.UnrecoveredPanic, proc.FatalThrow} {
		if bp := f.dbg.FindBreakpointByName(name); bp != nil {
			bp.Disabled = true
			_ = f.dbg.AmendBreakpoint(bp) // it would only stop once more
		}
	}
}

func (f *front) isDying() bool {
	group, unlock := f.dbg.LockTargetGroup()
	defer unlock()
	if ok, _ := group.Valid(); !ok {
		return false
	}
	t := &target{Target: group.Selected}
	_, name := t.crashedThread(0)
	return name == proc.UnrecoveredPanic || name == proc.FatalThrow
}
