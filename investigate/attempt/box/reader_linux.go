package box

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// reader looks at what calls are about, for one thread: what it reads into is used again and
// again, since garbage is collected seldom (see reads.serve).
type reader struct {
	path [unix.PathMax]byte
	text [64 << 10]byte
}

// pathOf is the whole path of a call.
func (r *reader) pathOf(n *notice, c call) (string, error) {
	pid := int(n.pid)
	path, err := r.textAt(pid, uintptr(n.args[c.path]))
	if err != nil || filepath.IsAbs(path) {
		return filepath.Clean(path), err
	}
	of := "cwd"
	if c.dir >= 0 && int32(n.args[c.dir]) != unix.AT_FDCWD {
		of = "fd/" + strconv.Itoa(int(int32(n.args[c.dir])))
	}
	dir, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/" + of)
	return filepath.Join(dir, path), err
}

// textAt reads a path out of a process, a page at a time: what lies behind it may not be there.
func (r *reader) textAt(pid int, at uintptr) (string, error) {
	const page = 4096
	for read := 0; read < len(r.path); {
		next := at + uintptr(read)
		part := r.path[read:min(len(r.path), read+page-int(next%page))]
		local := unix.Iovec{Base: &part[0]}
		local.SetLen(len(part))
		n, err := unix.ProcessVMReadv(pid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: next, Len: len(part)}}, 0)
		if err != nil {
			return "", err
		}
		if end := bytes.IndexByte(part[:n], 0); end >= 0 {
			return string(r.path[:read+end]), nil
		}
		read += n
	}
	return "", unix.ENAMETOOLONG
}

// largest is how big a file may be to be told by what is in it.
const largest = 8 << 20

// fileState changes whenever the file is changed; empty where there is no file.
func (r *reader) fileState(path string) string {
	var info unix.Stat_t
	if err := unix.Stat(path, &info); err != nil || info.Mode&unix.S_IFMT != unix.S_IFREG {
		return ""
	}
	if info.Size > largest {
		return fmt.Sprintf("%d bytes, number %d", info.Size, info.Ino)
	}
	// Not by package os, which offers each file to the poller.
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return err.Error()
	}
	defer unix.Close(fd)
	sum := sha256.New()
	for {
		n, err := unix.Read(fd, r.text[:])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err.Error()
		case n == 0:
			return string(sum.Sum(nil))
		default:
			sum.Write(r.text[:n])
		}
	}
}
