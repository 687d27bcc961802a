package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/process"
)

// reads notes which files outside of the workspace the programs of a box look at. The
// kernel tells of each call that opens, executes or looks at a file before it is made
// (seccomp's user notification), and makes it when we have noted the path: nothing is
// refused, and a debugger in the box does not see it.
type reads struct {
	listener int
	apart    []string // directories of which nothing is noted
	look     reader   // that of the thread that answers the kernel

	mu      sync.Mutex        // guards what follows
	read    map[string]string // what tells the file from others, when it was first looked at
	written map[string]bool
	lost    bool // something was not noted
}

// mostReads is how many files are noted; of more nothing is said.
const mostReads = 50_000

// call is where a system call has a path, and what it does there.
type call struct {
	nr    uint32
	does  fileAccess
	dir   int // the argument with the directory; -1: none
	path  int // that with the path
	flags int // of opening: that with the flags; of looking: that of which one flag says that there is no path; -1: none
}

// fileAccess is what a call does with a file.
type fileAccess int

const (
	looks    fileAccess = iota // at it, or runs it
	opens                      // it, for what its flags say
	makes                      // a directory
	replaces                   // what was there, if it was
)

// watchThread has the kernel tell us what this thread, which must be locked, and all
// that it starts look at.
func watchThread(apart []string) (*reads, error) {
	if len(calls) == 0 {
		return nil, errors.ErrUnsupported
	}
	filter := newFilter(calls)
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return nil, fmt.Errorf("watching what is read: %w", errno)
	}
	unix.CloseOnExec(int(fd))
	// The two then take turns on one processor where the kernel can do that, since Linux 6.6:
	// to wake another one costs more than all that we do.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, fd, unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP)
	r := &reads{listener: int(fd), apart: apart, read: map[string]string{}, written: map[string]bool{}}
	go r.serve()
	return r, nil
}

// newFilter makes a filter by which the kernel tells us of these calls and lets all
// others pass.
func newFilter(calls []call) []unix.SockFilter {
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		has     = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
		answer  = unix.BPF_RET | unix.BPF_K
		nr      = 0 // offsets in seccomp_data
		machine = 4
		args    = 16
	)
	allow, tell := unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW}, unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_USER_NOTIF}
	list := []unix.SockFilter{{Code: load, K: machine}, {Code: equal, K: auditArch, Jt: 1}, allow, {Code: load, K: nr}}
	for _, c := range calls {
		if c.does != looks || c.flags < 0 {
			list = append(list, unix.SockFilter{Code: equal, K: c.nr, Jf: 1}, tell)
			continue
		}
		list = append(list, unix.SockFilter{Code: equal, K: c.nr, Jf: 4},
			unix.SockFilter{Code: load, K: uint32(args + 8*c.flags)}, unix.SockFilter{Code: has, K: unix.AT_EMPTY_PATH, Jf: 1}, allow, tell)
	}
	return append(list, allow)
}

// notice is what the kernel tells (seccomp_notif), and reply what it is answered.
type notice struct {
	id         uint64
	pid, flags uint32
	nr         int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type reply struct {
	id         uint64
	val        int64
	err        int32
	continuing uint32
}

const continues = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

// betweenGarbage is after how many calls the garbage that noting them makes is collected.
const betweenGarbage = 200_000

// serve answers the kernel until the process ends. A box asks some ten thousand times, and
// Go's scheduler, told of each wait, would look every 20 µs for somebody who wants this
// thread's place, and take as much time as the box itself. It is not told: the place is
// ours (see startWatched), and nothing may stop the world meanwhile.
func (r *reads) serve() {
	runtime.LockOSThread()
	n := &notice{}
	for told := 1; ; told++ {
		if told%betweenGarbage == 0 {
			runtime.GC()
		}
		*n = notice{}
		if errno := r.ioctl(unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(n)); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT { // the caller was killed meanwhile
				continue
			}
			r.markIncomplete()
			return
		}
		r.note(n)
		a := reply{id: n.id, continuing: continues}
		for r.ioctl(unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&a)) == unix.EINTR { // else it fails for one that was killed
		}
	}
}

func (r *reads) ioctl(request uint, at unsafe.Pointer) unix.Errno {
	_, _, errno := unix.RawSyscall(unix.SYS_IOCTL, uintptr(r.listener), uintptr(request), uintptr(at))
	return errno
}

func (r *reads) markIncomplete() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost = true
}

func (r *reads) note(n *notice) {
	i := slices.IndexFunc(calls, func(c call) bool { return int32(c.nr) == n.nr })
	if i < 0 {
		return
	}
	c := calls[i]
	path, err := r.look.pathOf(n, c)
	switch {
	case errors.Is(err, unix.EFAULT) || errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrNotExist):
		return // the call fails, or who made it has ended
	case err != nil:
		r.markIncomplete()
		return
	}
	writes := isWrite(n, c, path)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case len(r.read)+len(r.written) >= mostReads:
		r.lost = true
	case writes:
		r.written[path] = true
	case r.read[path] == "" && !r.isIgnored(path):
		if is := r.look.fileState(path); is != "" {
			r.read[path] = is
		}
	}
}

// isIgnored says whether nothing is noted of a path: private directories of servers are
// looked at by others to see whether those live.
func (r *reads) isIgnored(path string) bool {
	return process.InRoot(path) || slices.ContainsFunc(r.apart, func(dir string) bool { return isBelow(path, dir) })
}

// isWrite says that a call makes or changes the file.
func isWrite(n *notice, c call, path string) bool {
	if c.does == replaces {
		return true
	}
	flags := uint64(unix.O_CREAT) // as who makes a directory
	if c.does == opens {
		var err error
		if flags, err = flagsOf(n, c); err != nil {
			return false
		}
	} else if c.does != makes {
		return false
	}
	if flags&unix.O_ACCMODE != unix.O_RDONLY || flags&unix.O_TRUNC != 0 {
		return true
	}
	if flags&unix.O_CREAT == 0 {
		return false
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// flagsOf are those with which a file is opened: openat2 has them in memory.
func flagsOf(n *notice, c call) (uint64, error) {
	if c.nr != unix.SYS_OPENAT2 {
		return n.args[c.flags], nil
	}
	text, err := readWord(int(n.pid), uintptr(n.args[c.flags]))
	return text, err
}

func readWord(pid int, at uintptr) (uint64, error) {
	var value uint64
	local := []unix.Iovec{{Base: (*byte)(unsafe.Pointer(&value)), Len: 8}}
	_, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: at, Len: 8}}, 0)
	return value, err
}

// startWatched starts the first command of a box on a thread whose files are noted; no reads
// where the kernel does not tell of them.
func (p place) startWatched(child *exec.Cmd) (*reads, error) {
	// The one who answers keeps a place for itself, and nobody else is to stop it: not for
	// garbage, which it looks after, nor because the number of processors has changed.
	runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0)))
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(math.MaxInt64)
	runtime.LockOSThread()
	r, err := watchThread(p.apartDirs())
	if err != nil {
		return nil, child.Start()
	}
	return r, child.Start()
}

// apartDirs are the directories whose files no verdict depends on: those of the box
// itself, those that the kernel makes up, and the caches, which hold what tools have made of
// other files and can make again.
func (p place) apartDirs() []string {
	apart := append([]string{p.Workspace, filepath.Dir(p.State), "/proc", "/sys", "/dev"}, p.Caches...)
	if cache, err := os.UserCacheDir(); err == nil {
		apart = append(apart, cache)
	}
	for _, c := range p.Covered {
		apart = append(apart, c.Dir)
	}
	for _, dir := range apart {
		if whole, err := filepath.EvalSymlinks(dir); err == nil && whole != dir {
			apart = append(apart, whole)
		}
	}
	return apart
}

// writeResult writes what was read where Box.Reads finds it. This thread is watched itself, so
// that another one looks at the files.
func (r *reads) writeResult(p place) error {
	done := make(chan error)
	go func() {
		text, err := json.Marshal(r.result())
		if err == nil {
			err = os.WriteFile(p.readsPath(), text, 0o600)
		}
		done <- err
	}()
	return <-done
}

// result lists the files that were read and not written here.
func (r *reads) result() Reads {
	var look reader
	r.mu.Lock()
	defer r.mu.Unlock()
	told := Reads{Unsettled: r.lost}
	for path, was := range r.read {
		whole, err := filepath.EvalSymlinks(path)
		if r.isMade(path) || err == nil && (r.isMade(whole) || r.isIgnored(whole)) {
			continue
		}
		if err != nil || look.fileState(whole) != was { // somebody else has changed it meanwhile
			told.Unsettled = true
			continue
		}
		told.Files = append(told.Files, whole)
	}
	slices.Sort(told.Files)
	told.Files = slices.Compact(told.Files)
	return told
}

// isMade says that a file, or a directory that it lies in, was made or changed here.
func (r *reads) isMade(path string) bool {
	for ; !r.written[path]; path = filepath.Dir(path) {
		if path == filepath.Dir(path) {
			return false
		}
	}
	return true
}
