//go:build !linux

package process

import "aidb-mcp/internal/system/mend"

// startTicks is when a process began; this system does not tell.
func startTicks(int) string { return "" }

// look: this system does not show a program's text.
func (d *duty) look() (before mend.Sight) { return before }

// mend: this system lets nobody mend what a debugger has left.
func (d *duty) mend(mend.Sight, bool) {}

// endFree: this system does not tell who traces a program.
func (d *duty) endFree(int) bool { return false }

// isCalling: nor that.
func (d *duty) isCalling(int) bool { return false }
