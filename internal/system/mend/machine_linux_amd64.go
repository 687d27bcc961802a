package mend

import "golang.org/x/sys/unix"

const (
	alignment = 1
	behind    = 1 // a thread that has executed a breakpoint stands behind it
)

var breakpoint = []byte{0xcc} // int3

// clearDebugRegisters switches all hardware breakpoints of a thread off.
func (t *thread) clearDebugRegisters() {
	const control = 848 + 7*8 // u_debugreg[7] of struct user
	off := make([]byte, 8)
	_, _ = unix.PtracePokeUser(t.id, control, off) // a kernel without them has none set
}
