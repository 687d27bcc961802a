package box

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"aidb-mcp/internal/system/process"
)

// init enters a box where this process was started to do so. It does not wait for main,
// as the supervisor does not: see internal/system/process.
func init() {
	if len(os.Args) < 2 || os.Args[1] != enterCommand && os.Args[1] != withinCommand {
		return
	}
	cut := slices.Index(os.Args, "--")
	var p place
	if cut != 3 || cut == len(os.Args)-1 || json.Unmarshal([]byte(os.Args[2]), &p) != nil {
		fmt.Fprintln(os.Stderr, os.Args[1], "is an internal command: it wants the place -- path [arg...]")
		os.Exit(2)
	}
	var code int
	var err error
	if os.Args[1] == enterCommand {
		code, err = enter()
	} else {
		code, err = runFirst(p, os.Args[4:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "aidb-mcp: entering a box:", err)
	}
	os.Exit(code)
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
	first := firstCommand(self, allIDs())
	if err := first.Start(); err != nil { // who may not map all users may map itself
		first = firstCommand(self, ownIDs())
		if err := first.Start(); err != nil {
			return failed, err
		}
	}
	return exitCode(first.Wait())
}

// firstCommand is the first process of a box, to be started.
func firstCommand(self string, m maps) *exec.Cmd {
	first := exec.Command(self, append([]string{withinCommand}, os.Args[2:]...)...)
	first.Stdin, first.Stdout, first.Stderr = os.Stdin, os.Stdout, os.Stderr
	first.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		UidMappings: m.users, GidMappings: m.groups, GidMappingsEnableSetgroups: m.others,
		AmbientCaps: []uintptr{capDACOverride, capFowner, capSysAdmin},
		Pdeathsig:   syscall.SIGKILL,
	}
	return first
}

// maps say which users and groups there are in a box; they are called as outside.
type maps struct {
	users, groups []syscall.SysProcIDMap
	others        bool // there are others than our own
}

// ownIDs are this process's user and group.
func ownIDs() maps {
	uid, gid := os.Getuid(), os.Getgid()
	return maps{
		users:  []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}},
		groups: []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}},
	}
}

// allIDs are all ids that this process knows, where it is root: root may write
// anybody's files, in a box as outside of one.
func allIDs() maps {
	if os.Getuid() != 0 {
		return ownIDs()
	}
	users, groups := mapIDs("/proc/self/uid_map"), mapIDs("/proc/self/gid_map")
	if len(users) == 0 || len(groups) == 0 {
		return ownIDs()
	}
	return maps{users: users, groups: groups, others: true}
}

// mapIDs reads a map of ids that this process has.
func mapIDs(file string) (list []syscall.SysProcIDMap) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		var here, outside, size int
		if n, err := fmt.Sscan(line, &here, &outside, &size); n != 3 || err != nil {
			return nil
		}
		list = append(list, syscall.SysProcIDMap{ContainerID: here, HostID: here, Size: size})
	}
	return list
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

// runFirst is the first process of the box: it lays the overlay, gives the right to do so
// up, starts what is to run, and buries whoever is left without a parent.
func runFirst(p place, command []string) (int, error) {
	if err := p.mountOverlays(); err != nil {
		return failed, err
	}
	const ambient, clearAll = 47, 4 // PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, ambient, clearAll, 0, 0, 0, 0); errno != 0 {
		return failed, fmt.Errorf("giving rights up: %w", errno)
	}
	child := exec.Command(command[0], command[1:]...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	r, err := p.startWatched(child)
	if err != nil {
		return failed, err
	}
	code, err := reap(child.Process.Pid)
	if r != nil && err == nil {
		err = r.writeResult(p)
	}
	return code, err
}

// reap waits for all that end in the box until the command does.
func reap(command int) (int, error) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return failed, fmt.Errorf("waiting for the command: %w", err)
		case pid == command && status.Signaled():
			return 128 + int(status.Signal()), nil
		case pid == command:
			return status.ExitStatus(), nil
		}
	}
}

// mountOverlays puts overlays over the workspace and what else is covered, whose upper sides are in
// memory, up to a limit, where the system allows it, else in the directory for the box's
// state. The working directory is entered anew: the old one is still the original.
func (p place) mountOverlays() error {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = p.Workspace
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w", err)
	}
	if err := p.mountWorkspace(); err != nil {
		return err
	}
	if err := syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if !isBelow(cwd, p.Workspace) {
		cwd = p.Workspace
	}
	return os.Chdir(cwd)
}

func (p place) mountWorkspace() error {
	size := fmt.Sprintf("size=%d,mode=700", min(p.Room, memoryLimit()))
	inMemory := syscall.Mount("tmpfs", p.State, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, size) == nil
	err := p.mountOver(p.Workspace, "")
	if err != nil && inMemory { // a kernel whose tmpfs cannot be the upper side
		if err := syscall.Unmount(p.State, 0); err != nil {
			return fmt.Errorf("unmounting the memory: %w", err)
		}
		err = p.mountOver(p.Workspace, "")
	}
	for i, c := range p.Covered {
		if err == nil {
			err = p.coverBut(c, "-"+strconv.Itoa(i))
		}
	}
	return err
}

// coverBut covers a directory, of which some below it stay what they are.
func (p place) coverBut(c Covered, suffix string) error {
	kept := filepath.Join(p.State, "kept"+suffix)
	for _, name := range c.Shared {
		if err := bindMount(filepath.Join(c.Dir, name), filepath.Join(kept, name)); err != nil {
			return err
		}
	}
	if err := p.mountOver(c.Dir, suffix); err != nil {
		return err
	}
	for _, name := range c.Shared {
		if err := bindMount(filepath.Join(kept, name), filepath.Join(c.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// bindMount makes a directory visible at another place too.
func bindMount(dir, at string) error {
	if err := os.MkdirAll(at, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount(dir, at, "", syscall.MS_BIND, ""); err != nil {
		return fmt.Errorf("keeping %s: %w", dir, err)
	}
	return nil
}

// mountOver lays an overlay over a directory.
func (p place) mountOver(dir, suffix string) error {
	up, work := filepath.Join(p.State, "up"+suffix), filepath.Join(p.State, "work"+suffix)
	for _, dir := range []string{up, work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if err := os.Chmod(up, info.Mode().Perm()); err != nil {
		return err
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s,userxattr,volatile", escapeOption(dir), escapeOption(up), escapeOption(work))
	if err := syscall.Mount("overlay", dir, "overlay", 0, options); err != nil {
		return fmt.Errorf("laying an overlay over %s: %w", dir, err)
	}
	return nil
}

// escapeOption writes a path as mount options need it.
func escapeOption(path string) string {
	var b []byte
	for _, c := range []byte(path) {
		if c == ',' || c == ':' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return string(b)
}

// memoryLimit is how much memory one box may take: a quarter of the machine's.
func memoryLimit() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit) / 4 //nolint:unconvert // systems of 32 bits have smaller numbers
}

// overlayWorks tries whether a box can be entered on this machine.
func overlayWorks(ctx context.Context, state string, covered []Covered) bool {
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
	p := place{Workspace: workspace, State: filepath.Join(state, "state"), Room: 1_000_000, Covered: covered}
	args, err := p.enterArguments("/bin/sh", "-c", "echo 1 > written && cat written")
	if err != nil {
		return false
	}
	_, _, err = process.Run(ctx, process.Spec{Name: "box", Path: self, Dir: workspace, Args: args})
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(workspace, "written"))
	return errors.Is(err, os.ErrNotExist)
}
