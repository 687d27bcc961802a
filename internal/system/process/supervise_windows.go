package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

const deathLimit = 5000 // ms to wait for one terminated process

// hand lets a supervisor inherit its pipe ends.
func hand(cmd *exec.Cmd, o *order, spec Spec, lifeline, report *os.File) error {
	if len(spec.Extra) > 0 {
		return errors.New("extra descriptors are not supported on Windows")
	}
	o.lifeline, o.report = lifeline.Fd(), report.Fd()
	inherit := []syscall.Handle{syscall.Handle(o.lifeline), syscall.Handle(o.report)}
	if hold := spec.Root.hold(); hold != nil {
		inherit = append(inherit, syscall.Handle(hold.Fd()))
	}
	for _, handle := range inherit {
		if err := syscall.SetHandleInformation(handle, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT); err != nil {
			return fmt.Errorf("passing a pipe to the supervisor: %w", err)
		}
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		AdditionalInheritedHandles: inherit,
		CreationFlags:              windows.CREATE_NEW_PROCESS_GROUP,
		HideWindow:                 true,
	}
	return nil
}

// charge is the child of a supervisor.
type charge struct{ *os.Process }

func (c charge) pid() int { return c.Pid }

// launch puts this process in a job object that ends with it and starts the
// child, which is in the job from its first instruction.
func launch(o order) (charge, error) {
	if err := enterJob(); err != nil {
		return charge{}, err
	}
	streams := []*os.File{os.Stdin, os.Stdout, os.Stderr}
	child, err := os.StartProcess(o.path, append([]string{o.path}, o.args...), &os.ProcAttr{Files: streams})
	if err != nil {
		return charge{}, err
	}
	for _, stream := range streams {
		stream.Close()
	}
	return charge{child}, os.Chdir(os.TempDir())
}

// enterJob creates the job. Its handle is never closed: the system does that
// when this process ends, and everybody left in the job ends then.
func enterJob() error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("creating a job object: %w", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return fmt.Errorf("limiting the job object: %w", err)
	}
	if err := windows.AssignProcessToJobObject(job, windows.CurrentProcess()); err != nil {
		return fmt.Errorf("entering the job object: %w", err)
	}
	return nil
}

func (c charge) wait() ending {
	state, err := c.Wait()
	if err != nil {
		return ending{code: -1}
	}
	return ending{code: state.ExitCode()}
}

// release: Windows has no way to ask for it.
func (*duty) release(charge) {}

// adopt: the job keeps orphans together.
func adopt() {}

// linger does not wait here: who is left is ended.
func linger(*atomic.Bool) {}

// bury ends the child's descendants, so that their files can be removed. What
// escapes it ends with the job.
func bury() { slay(family(os.Getpid())) }

// slay terminates processes and waits for each, bounded.
func slay(pids []int) {
	for _, pid := range pids {
		handle, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.SYNCHRONIZE, false, uint32(pid))
		if err != nil {
			continue // gone
		}
		_ = windows.TerminateProcess(handle, 1)
		_, _ = windows.WaitForSingleObject(handle, deathLimit)
		_ = windows.CloseHandle(handle)
	}
}

// terminate does nothing here: there is no signal to end by.
func terminate([]int) {}

// family lists the other members of root's job: the current process's one. Only
// the supervisor has one to ask about; from outside, ending it ends them all.
func family(root int) []int {
	if root != os.Getpid() {
		return nil
	}
	// JOBOBJECT_BASIC_PROCESS_ID_LIST with room for many.
	var list struct {
		assigned, listed uint32
		pids             [4096]uintptr
	}
	err := windows.QueryInformationJobObject(0, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil {
		return nil
	}
	var members []int
	for _, pid := range list.pids[:list.listed] {
		if int(pid) != root {
			members = append(members, int(pid))
		}
	}
	return members
}
