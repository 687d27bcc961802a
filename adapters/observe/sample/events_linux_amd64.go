package sample

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is copied of a thread's stack at each sample, in bytes.
const stackCopied = 16 << 10

// What package unix has no names for.
const commExec = 1 << 24 // PerfBitCommExec

// registers are those that a sample has: bx, bp, sp, ip, r12 to r15, by the kernel's numbers,
// in their order.
const registers = 1<<1 | 1<<6 | 1<<7 | 1<<8 | 1<<20 | 1<<21 | 1<<22 | 1<<23

// registerNumbers are their numbers in DWARF.
var registerNumbers = [...]uint64{3, 6, 7, 16, 12, 13, 14, 15}

// attributes are those of an event.
func attributes(kernel, onExec bool) unix.PerfEventAttr {
	a := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Sample: uint64(every.Nanoseconds()),
		Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_ID | unix.PERF_SAMPLE_CALLCHAIN | unix.PERF_SAMPLE_REGS_USER | unix.PERF_SAMPLE_STACK_USER,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitExcludeHv | unix.PerfBitExcludeCallchainKernel |
			unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitComm | commExec | unix.PerfBitTask,
		Sample_regs_user: registers, Sample_stack_user: stackCopied,
	}
	if !kernel {
		a.Bits |= unix.PerfBitExcludeKernel
	}
	if onExec {
		a.Bits |= unix.PerfBitEnableOnExec
	}
	a.Size = uint32(unsafe.Sizeof(a))
	return a
}

// openEvent opens the event of a thread on a processor.
func openEvent(a *unix.PerfEventAttr, thread, cpu int) (int, error) {
	fd, err := unix.PerfEventOpen(a, thread, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	switch {
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return -1, fmt.Errorf("%w: %w; kernel.perf_event_paranoid is %s", ErrForbidden, err, paranoid())
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOENT):
		return -1, fmt.Errorf("%w: this kernel has no perf events (%w)", ErrUnsupported, err)
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return -1, fmt.Errorf("there are not enough file descriptors, of which each thread takes one for each processor: %w", err)
	}
	return fd, err
}

func paranoid() string {
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return "not known"
	}
	return strings.TrimSpace(string(text))
}

// Check says why programs of this user cannot be sampled here; nil when they can.
func Check() error {
	_, err := seesKernel()
	return err
}

// seesKernel says whether time in the kernel may be sampled too.
func seesKernel() (kernel bool, err error) {
	for _, kernel := range []bool{true, false} {
		a := attributes(kernel, false)
		var fd int
		if fd, err = openEvent(&a, 0, -1); err == nil {
			return kernel, unix.Close(fd)
		}
		if !errors.Is(err, ErrForbidden) {
			break
		}
	}
	return false, err
}

// processors are the numbers of those that are there.
func processors() ([]int, error) {
	text, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return nil, err
	}
	var list []int
	for span := range strings.SplitSeq(strings.TrimSpace(string(text)), ",") {
		from, to, isRange := strings.Cut(span, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err != nil {
			return nil, fmt.Errorf("reading which processors are online: %w", err)
		}
		for cpu := first; cpu <= last; cpu++ {
			list = append(list, cpu)
		}
	}
	return list, nil
}

// threadsOf are the threads of a process.
func threadsOf(pid int) []int {
	names, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		return nil
	}
	var list []int
	for _, name := range names {
		if id, err := strconv.Atoi(filepath.Base(name)); err == nil {
			list = append(list, id)
		}
	}
	return list
}
