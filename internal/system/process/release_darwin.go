package process

import (
	"time"

	"golang.org/x/sys/unix"
)

// awaitEnds waits until the processes have ended, and returns those that have not when
// the time is over.
func awaitEnds(pids, _ []int, limit time.Duration) (left []int) {
	queue, err := unix.Kqueue()
	if err != nil {
		return pids
	}
	defer unix.Close(queue)
	waiting := map[int]bool{}
	for _, pid := range pids {
		var change unix.Kevent_t
		unix.SetKevent(&change, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
		change.Fflags = unix.NOTE_EXIT
		if _, err := unix.Kevent(queue, []unix.Kevent_t{change}, nil, nil); err == nil {
			waiting[pid] = true // else it has ended
		}
	}
	events := make([]unix.Kevent_t, max(len(pids), 1))
	for deadline := time.Now().Add(limit); len(waiting) > 0; {
		rest := time.Until(deadline)
		if rest <= 0 {
			break
		}
		wait := unix.NsecToTimespec(rest.Nanoseconds())
		n, err := unix.Kevent(queue, nil, events, &wait)
		if err != nil && err != unix.EINTR {
			break
		}
		for _, e := range events[:max(n, 0)] {
			delete(waiting, int(e.Ident))
		}
	}
	for pid := range waiting {
		left = append(left, pid)
	}
	return left
}
