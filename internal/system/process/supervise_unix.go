//go:build unix

package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
)

// hand gives a supervisor its pipe ends, after the descriptors that it passes
// on to the child, and last what holds the root.
func hand(cmd *exec.Cmd, o *order, spec Spec, lifeline, report *os.File) error {
	o.lifeline = uintptr(3 + len(spec.Extra))
	o.report = o.lifeline + 1
	cmd.ExtraFiles = append(append(cmd.ExtraFiles, spec.Extra...), lifeline, report)
	if hold := spec.Root.hold(); hold != nil {
		cmd.ExtraFiles = append(cmd.ExtraFiles, hold)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return nil
}

// charge is the child of a supervisor.
type charge int

func (c charge) pid() int { return int(c) }

// launch starts the child with descriptors 0 up to the lifeline and lets go of
// them, so that their other ends see when the child closes them.
func launch(o order) (charge, error) {
	adopt()
	syscall.CloseOnExec(int(o.lifeline))
	syscall.CloseOnExec(int(o.report))
	syscall.CloseOnExec(int(o.report) + 1) // what holds the root, if anything does
	withhold(o.lifeline)
	files := make([]uintptr, o.lifeline)
	for fd := range files {
		files[fd] = uintptr(fd)
	}
	pid, err := syscall.ForkExec(o.path, append([]string{o.path}, o.args...), &syscall.ProcAttr{
		Env:   withMark(os.Environ()),
		Files: files,
		Sys:   childAttributes(o.duty),
	})
	if err != nil {
		return 0, &os.PathError{Op: "exec", Path: o.path, Err: err}
	}
	if err := release(files); err != nil {
		return 0, err
	}
	return charge(pid), nil
}

// release closes descriptors; the standard ones become the null device, so that
// nothing opened later can take their numbers.
func release(files []uintptr) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("letting go of the child's streams: %w", err)
	}
	defer null.Close()
	for fd := range files {
		if fd > 2 {
			syscall.Close(fd)
		} else if err := dup(int(null.Fd()), fd); err != nil {
			return fmt.Errorf("letting go of the child's streams: %w", err)
		}
	}
	// The working directory may be one of those to remove, or on a disk that
	// somebody wants to unmount.
	return os.Chdir("/")
}

// wait reaps whatever ends until the child itself has.
func (c charge) wait() ending {
	for {
		var status syscall.WaitStatus
		next := awaitAny()
		parent := next == int(c) && HasWaited(next)
		pid, err := syscall.Wait4(next, &status, 0, nil)
		switch {
		case pid == int(c) && status.Signaled():
			return ending{signal: int(status.Signal()), parent: parent}
		case pid == int(c):
			return ending{code: status.ExitStatus(), parent: parent}
		case err == syscall.ECHILD:
			return ending{signal: int(syscall.SIGKILL)} // cannot be: only we reap
		}
	}
}

// linger reaps what ends until nobody is left, or all are to end: where orphans come to us,
// that is everybody whom the child has started.
func linger(isOver *atomic.Bool) {
	for !isOver.Load() {
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && err != syscall.EINTR {
			return
		}
	}
}

// bury kills and reaps all descendants. It ends when none is left, for each
// death may hand us orphans that were not in sight before.
func bury() {
	for {
		pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		if err == syscall.ECHILD {
			break
		}
		if pid == 0 {
			slay(family(os.Getpid()))
			_, _ = syscall.Wait4(-1, nil, 0, nil)
		}
	}
	if !adopts {
		slay(family(os.Getpid()))
	}
}

// slay sends SIGKILL to each process, and to one that holds what is not ours only when it
// had its time to let go of it. Those that are gone are none of our concern, and a keeper
// is left to end with the server that it was for: nobody else removes that one's directory.
func slay(pids []int) {
	duties := dutiesOf(pids)
	for _, pid := range pids {
		if duties[pid] == nil && !isKeeper(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	duties.release()
}

// terminate sends SIGTERM to each process, but to no keeper.
func terminate(pids []int) {
	for _, pid := range pids {
		if !isKeeper(pid) {
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}

// process is one row of the process table.
type process struct{ pid, parent, session int }

// family lists the processes that descend from a supervisor or are in its session,
// without itself, parents before their children.
func family(supervisor int) []int {
	if adopts { // so that whoever is in its session descends from it, for as long as it lives
		members, isTold := belowSupervisor(supervisor)
		if len(members) > 0 || isTold && supervisor == os.Getpid() {
			return members
		}
	}
	table := processes()
	members := []int{supervisor}
	known := map[int]bool{supervisor: true}
	for _, p := range table {
		if p.session == supervisor && !known[p.pid] {
			known[p.pid] = true
			members = append(members, p.pid)
		}
	}
	children := make(map[int][]int)
	for _, p := range table {
		children[p.parent] = append(children[p.parent], p.pid)
	}
	for i := 0; i < len(members); i++ {
		for _, pid := range children[members[i]] {
			if !known[pid] {
				known[pid] = true
				members = append(members, pid)
			}
		}
	}
	return members[1:]
}
