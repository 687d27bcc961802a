// Package observe records what a running program does, without a debugger: the kernel runs a
// small program of ours (eBPF) at instructions of its code (uprobes), which reads values
// there and lets it go on. Nothing of the program's memory is changed that the kernel does
// not put back by itself when we end, however that is.
//
// It is for programs in machine code with DWARF (Go, C, C++, Rust) on Linux on x86-64, and
// knows no session, no debugger and no tool. Package image reads executables, fetch compiles
// what is read.
package observe

import "errors"

// Errors of Arm.
var (
	// ErrUnsupported: this system or processor cannot do it.
	ErrUnsupported = errors.New("programs can be observed on Linux on x86-64 only")
	// ErrForbidden: the right to do it is missing.
	ErrForbidden = errors.New("observing a program wants the rights CAP_BPF and CAP_PERFMON (or root), which this server does not have")
	// ErrTaken: the places that the processor can watch are taken.
	ErrTaken = errors.New("the processor watches four words of a thread at once, and all of them are taken, by other traces of writes or by watchpoints of a debugger")
)
