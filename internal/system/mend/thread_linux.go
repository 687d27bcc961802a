//go:build amd64 || arm64

package mend

import (
	"bytes"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mend takes a debugger's traps from a thread: the one that it is about to be delivered,
// those that wait behind it, and its debug registers. A thread that has executed a
// breakpoint executes the original instruction instead.
func (t *thread) mend(file text) {
	t.clearDebugRegisters()
	const most = 4 // a step, a watchpoint and a breakpoint can wait at once
	for range most {
		if t.signal == unix.SIGTRAP && t.isDebuggers(file) {
			t.signal = 0
		}
		if t.signal != 0 || !t.hasPending("SigPnd:", unix.SIGTRAP) {
			return
		}
		if unix.PtraceCont(t.id, 0) != nil || !t.wait() {
			return
		}
	}
}

// isDebuggers says that a trap is none of the program's own, and undoes what it did.
func (t *thread) isDebuggers(file text) bool {
	const (
		breakpointTrap = 1    // TRAP_BRKPT
		stepTrap       = 2    // TRAP_TRACE
		watchTrap      = 4    // TRAP_HWBKPT
		kernelTrap     = 0x80 // SI_KERNEL: int3 on amd64
	)
	var info unix.Siginfo
	if _, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GETSIGINFO, uintptr(t.id), 0, uintptr(unsafe.Pointer(&info)), 0, 0); errno != 0 {
		return false
	}
	switch info.Code {
	case stepTrap, watchTrap:
		return true
	case breakpointTrap, kernelTrap:
		return t.rewind(file)
	}
	return false // somebody sent it
}

// rewind puts a thread back to the instruction that a breakpoint stood for. One that
// the program's own file has belongs to the program.
func (t *thread) rewind(file text) bool {
	var registers unix.PtraceRegs
	if unix.PtraceGetRegs(t.id, &registers) != nil {
		return false
	}
	at := registers.PC() - behind
	if isOwn, isKnown := file.hasBreakpoint(at); isOwn || !isKnown {
		return false
	}
	if behind == 0 {
		return true
	}
	registers.SetPC(at)
	return unix.PtraceSetRegs(t.id, &registers) == nil
}

// hasPending says that a signal waits for the thread ("SigPnd:") or for any ("ShdPnd:").
func (t *thread) hasPending(set string, signal unix.Signal) bool {
	status, err := os.ReadFile(processFile(t.pid, "task/"+strconv.Itoa(t.id)+"/status"))
	if err != nil {
		return false
	}
	signals, err := strconv.ParseUint(field(status, set), 16, 64)
	return err == nil && signals&(1<<(signal-1)) != 0
}

// text is what a program's files say of its text.
type text struct{ pid int }

// hasBreakpoint says that the file has a breakpoint instruction at an address. Not known:
// nothing of a file is there.
func (x text) hasBreakpoint(address uint64) (isOwn, isKnown bool) {
	mappings, err := textOf(x.pid)
	if err != nil {
		return false, false
	}
	for _, m := range mappings {
		if address < m.start || address >= m.end {
			continue
		}
		file, err := m.open(x.pid)
		if err != nil {
			return false, false
		}
		defer file.Close()
		instruction := make([]byte, len(breakpoint))
		if _, err := file.ReadAt(instruction, m.offset+int64(address-m.start)); err != nil {
			return false, false
		}
		return bytes.Equal(instruction, breakpoint), true
	}
	return false, false
}
