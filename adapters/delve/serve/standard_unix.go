//go:build (linux || darwin) && (amd64 || arm64)

package serve

import (
	"cmp"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// takeStandard moves the DAP stream away from descriptors 0 and 1, which the
// program would inherit: 0 becomes /dev/null and 1 a second stderr. What is
// kept is closed in every process that is started later.
func takeStandard(withStreams bool) (standard, error) {
	var std standard
	if withStreams {
		std.program = &streams{inheritedFile(3, "stdin"), inheritedFile(4, "stdout"), inheritedFile(5, "stderr")}
	}
	in, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 6)
	if err != nil {
		return std, fmt.Errorf("keeping stdin: %w", err)
	}
	out, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 6)
	if err != nil {
		return std, fmt.Errorf("keeping stdout: %w", err)
	}
	std.client = stream{os.NewFile(uintptr(in), "dap in"), os.NewFile(uintptr(out), "dap out")}

	null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return std, fmt.Errorf("opening %s: %w", os.DevNull, err)
	}
	defer unix.Close(null)
	if err := redirect(null, 0); err != nil {
		return std, fmt.Errorf("emptying stdin: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		return std, fmt.Errorf("redirecting stdout: %w", err)
	}
	return std, nil
}

func inheritedFile(fd int, name string) *os.File {
	unix.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), name)
}

// signalName is like "SIGABRT".
func signalName(number int) string {
	return cmp.Or(unix.SignalName(unix.Signal(number)), fmt.Sprintf("signal %d", number))
}
