package box

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"aidb-mcp/internal/process"
)

// init enters a box where this process was started to do so. It does not wait for main,
// as the supervisor does not: see internal/process.
func init() {
	if len(os.Args) < 2 || os.Args[1] != enterCommand && os.Args[1] != withinCommand {
		return
	}
	cut := slices.Index(os.Args, "--")
	room, err := strconv.ParseUint(os.Args[min(4, len(os.Args)-1)], 10, 64)
	if cut != 5 || cut == len(os.Args)-1 || err != nil {
		fmt.Fprintln(os.Stderr, os.Args[1], "is an internal command: it wants workspace state bytes -- path [arg...]")
		os.Exit(2)
	}
	place := place{workspace: os.Args[2], state: os.Args[3], room: room}
	var code int
	if os.Args[1] == enterCommand {
		code, err = enter()
	} else {
		code, err = within(place, os.Args[6:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "aidb-mcp: entering a box:", err)
	}
	os.Exit(code)
}

// place is where a box is, and how many bytes may be written in it.
type place struct {
	workspace, state string
	room             uint64
}

// The capabilities that laying the overlay needs, in the box's own user namespace: its
// work directory has mode 0, and whoever may not override that is refused.
const (
	capDACOverride = 1
	capFowner      = 3
	capSysAdmin    = 21
)

// failed is the exit code when a box could not be entered.
const failed = 125

// enter starts the first process of the box, and ends as it does. When this one is
// killed the kernel kills that, and with it all that is in the box.
func enter() (int, error) {
	self, err := process.Executable()
	if err != nil {
		return failed, err
	}
	runtime.LockOSThread() // the death signal follows the thread, not the process
	uid, gid := os.Getuid(), os.Getgid()
	first := exec.Command(self, append([]string{withinCommand}, os.Args[2:]...)...)
	first.Stdin, first.Stdout, first.Stderr = os.Stdin, os.Stdout, os.Stderr
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
		AmbientCaps: []uintptr{capDACOverride, capFowner, capSysAdmin},
		Pdeathsig:   syscall.SIGKILL,
	}
	return exitCode(first.Run())
}

func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode(), nil
	}
	return failed, err
}

// within is the first process of the box: it lays the overlay, gives the right to do so
// up, starts what is to run, and buries whoever is left without a parent.
func within(p place, command []string) (int, error) {
	if err := p.lay(); err != nil {
		return failed, err
	}
	const ambient, clearAll = 47, 4 // PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, ambient, clearAll, 0, 0, 0, 0); errno != 0 {
		return failed, fmt.Errorf("giving rights up: %w", errno)
	}
	child := exec.Command(command[0], command[1:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		return failed, err
	}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return failed, fmt.Errorf("waiting for the command: %w", err)
		case pid == child.Process.Pid && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == child.Process.Pid:
			return status.ExitStatus(), nil
		}
	}
}

// lay puts an overlay over the workspace, whose upper side is in memory, up to a limit,
// where the system allows it, else in the directory for the box's state. The working
// directory is entered anew: the old one is still the original.
func (p place) lay() error {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = p.workspace
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w", err)
	}
	if err := p.overlay(); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if !below(cwd, p.workspace) {
		cwd = p.workspace
	}
	return os.Chdir(cwd)
}

func (p place) overlay() error {
	size := fmt.Sprintf("size=%d,mode=700", min(p.room, memory()))
	inMemory := syscall.Mount("tmpfs", p.state, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, size) == nil
	err := p.stack()
	if err != nil && inMemory { // a kernel whose tmpfs cannot be the upper side
		if err := syscall.Unmount(p.state, 0); err != nil {
			return fmt.Errorf("unmounting the memory: %w", err)
		}
		err = p.stack()
	}
	return err
}

func (p place) stack() error {
	up, work := filepath.Join(p.state, "up"), filepath.Join(p.state, "work")
	for _, dir := range []string{up, work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	info, err := os.Stat(p.workspace)
	if err != nil {
		return err
	}
	if err := os.Chmod(up, info.Mode().Perm()); err != nil {
		return err
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s,userxattr,volatile", escaped(p.workspace), escaped(up), escaped(work))
	if err := syscall.Mount("overlay", p.workspace, "overlay", 0, options); err != nil {
		return fmt.Errorf("laying an overlay over %s: %w", p.workspace, err)
	}
	return nil
}

// escaped is a path as mount options write it.
func escaped(path string) string {
	var b []byte
	for _, c := range []byte(path) {
		if c == ',' || c == ':' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(b)
}

// memory is how much of the machine's may be taken by one box: a quarter.
func memory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit) / 4 //nolint:unconvert // systems of 32 bits have smaller numbers
}

// overlayWorks tries whether a box can be entered on this machine.
func overlayWorks(ctx context.Context, state string) bool {
	self, err := process.Executable()
	if err != nil {
		return false
	}
	workspace := filepath.Join(state, "workspace")
	defer os.RemoveAll(state)
	if err := os.MkdirAll(filepath.Join(state, "state"), 0o700); err != nil {
		return false
	}
	if err := os.Mkdir(workspace, 0o700); err != nil {
		return false
	}
	_, _, err = process.Run(ctx, process.Spec{
		Name: "box", Path: self, Dir: workspace,
		Args: []string{enterCommand, workspace, filepath.Join(state, "state"), "1000000", "--", "/bin/sh", "-c", "echo 1 > written && cat written"},
	})
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(workspace, "written"))
	return errors.Is(err, os.ErrNotExist)
}
