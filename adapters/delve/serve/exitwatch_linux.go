//go:build amd64 || arm64

package serve

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"time"

	godap "github.com/google/go-dap"
	"golang.org/x/sys/unix"
)

// exitWatch learns from the system how the program has ended. When one is killed while
// another signal is delivered to it, Delve loses what has ended it and tells code 0.
//
// The fields are set before the messages of the program's run are read.
type exitWatch struct {
	pid int
	fd  int // of the process, that of nobody else even when it is gone; -1 without one
}

func newExitWatch() *exitWatch { return &exitWatch{fd: -1} }

// endingLimit is how long the threads of a killed program may take to end, which on a busy
// machine is seconds. A program that has exited with code 0 is never waited for: Delve has
// taken note of its end.
const endingLimit = 10 * time.Second

// fixExitCode passes a message on, with the true exit code where Delve has lost it.
func (e *exitWatch) fixExitCode(h header, frame []byte) []byte {
	var exited godap.ExitedEvent
	if h.Event != "exited" || json.Unmarshal(frame, &exited) != nil || exited.Body.ExitCode != 0 {
		return frame
	}
	number := e.signal()
	if number == 0 {
		return frame
	}
	exited.Body.ExitCode = -number
	corrected, err := json.Marshal(exited)
	if err != nil {
		return frame
	}
	return corrected
}

// follow begins, while the program still stands.
func (e *exitWatch) follow(pid int) {
	e.pid = pid
	if fd, err := unix.PidfdOpen(pid, 0); err == nil {
		e.fd = fd
	}
}

func (e *exitWatch) close() {
	if e.fd >= 0 {
		_ = unix.Close(e.fd)
	}
}

// signal is the one that has ended the program, 0 when none has, or when the system
// does not tell any more.
func (e *exitWatch) signal() int {
	if e.pid <= 0 {
		return 0
	}
	known := make(chan unix.WaitStatus, 1)
	go func() {
		defer close(known)
		if status, err := reap(e.pid); err == nil {
			known <- status
		}
	}()
	limit := time.NewTimer(endingLimit)
	defer limit.Stop()
	select {
	case status, ok := <-known:
		if !ok { // Delve has taken it
			status = e.exitStatus()
		}
		if status.Signaled() {
			return int(status.Signal())
		}
	case <-limit.C:
	}
	return 0
}

// reap waits for the end of a process whose tracer this is. Its first thread is told of
// when all others have been, one among them that began as the list of them was read.
func reap(pid int) (unix.WaitStatus, error) {
	for hasReaped := true; hasReaped; {
		hasReaped = false
		threads, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
		for _, t := range threads {
			if id, _ := strconv.Atoi(t.Name()); id != pid && id > 0 {
				_, err := await(id)
				hasReaped = hasReaped || err == nil
			}
		}
	}
	return await(pid)
}

// await waits for the end of a thread. A stop that was on its way is told before it.
func await(id int) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(id, &status, unix.WALL, nil)
		switch {
		case err != nil && !errors.Is(err, unix.EINTR):
			return 0, err
		case err == nil && (status.Exited() || status.Signaled()):
			return status, nil
		}
	}
}

// exitStatus is how a process ended of which note has been taken: Linux 6.15 and later
// know that as long as somebody holds the descriptor.
func (e *exitWatch) exitStatus() unix.WaitStatus {
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if e.fd < 0 || unix.IoctlPidfdInfo(e.fd, &info) != nil || info.Mask&unix.PIDFD_INFO_EXIT == 0 {
		return 0
	}
	return unix.WaitStatus(info.Exit_code)
}
