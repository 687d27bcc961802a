// Package sample finds out where a program of machine code spends processor time: the kernel
// interrupts each of its threads after each millisecond that it ran (perf_event_open), and
// notes its stack; the program does not stop for it, and nothing of it is changed. Stacks are
// unwound by what executables say of their frames (.eh_frame, .debug_frame), by frame pointers
// where they say nothing, and named by DWARF, with what was inlined, or by symbols.
//
// It knows no session, no debugger and no tool. It works on Linux on x86-64.
package sample

import (
	"errors"
	"time"

	"aidb-mcp/internal/profiling"
)

// Errors.
var (
	// ErrUnsupported: this system or processor cannot do it.
	ErrUnsupported = errors.New("programs are sampled on Linux on x86-64 only")
	// ErrForbidden: the right to do it is missing.
	ErrForbidden = errors.New("the kernel refuses to sample (perf_event_open)")
)

// Remedy says what gives the right that is missing.
const Remedy = "run the server as root or give its binary the right: setcap cap_perfmon,cap_sys_ptrace+ep aidb-mcp; or as root: sysctl kernel.perf_event_paranoid=2. " +
	"In a container perf_event_open must be allowed too (docker run --cap-add PERFMON)"

// every is how much processor time lies between two samples of a thread. No round number: what
// a program does each millisecond would be met always or never.
const every = 1_003 * time.Microsecond

// Taken is what was sampled.
type Taken struct {
	Profile *profiling.Builder
	Samples int64
	Lost    int64 // that the kernel could not hand over
	Cut     int64 // whose stacks go deeper than what is copied of them
	Broken  int64 // whose callers could not be found
	Unnamed int64 // in code of no file, as that of a compiler at run time
	// Optimized are those whose innermost line is of code of C, C++ or Rust that was optimized.
	Optimized int64
	Kernel    bool // time in the kernel was sampled too
	Threads   int  // at the beginning
	Lasted    time.Duration
	// Used is the processor time that the process took, as the system counts it, of which the
	// samples of itself stand for Own; 0 where that is not known.
	Used, Own time.Duration
}
