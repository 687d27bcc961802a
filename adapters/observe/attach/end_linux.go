package attach

import (
	"errors"

	"golang.org/x/sys/unix"
)

// processEnd waits for the end of a process, which need not be ours.
type processEnd struct {
	process int // its descriptor, readable when it has ended
	stop    [2]int
}

func watchEnd(pid int) (*processEnd, error) {
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, err
	}
	e := &processEnd{process: process}
	if err := unix.Pipe2(e.stop[:], unix.O_CLOEXEC); err != nil {
		_ = unix.Close(process) // the error says more
		return nil, err
	}
	return e, nil
}

// wait returns when the process has ended, or with false after close. It gives the
// descriptors back.
func (e *processEnd) wait() (ended bool) {
	defer func() {
		_ = unix.Close(e.process) // they were only waited for
		_ = unix.Close(e.stop[0])
	}()
	fds := []unix.PollFd{{Fd: int32(e.process), Events: unix.POLLIN}, {Fd: int32(e.stop[0]), Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, -1)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return err == nil && fds[0].Revents != 0
	}
}

// close ends the wait.
func (e *processEnd) close() { _ = unix.Close(e.stop[1]) } // which the reading end sees
