//go:build go1.22 && unix

package recorder

import (
	"os"
	"syscall"
)

// file is one of a recording. It lies in memory that is the system's: what was
// written to it is there whatever becomes of the program, and no write(2) is needed.
type file struct {
	plain *os.File // where the system gives no such memory
	data  []byte
	room  int
}

// open makes a file of a size, and fails if it must be new and is there. The room is
// taken by writing to all of it: a full disk is noticed here, not by a signal.
func open(path string, size int, exclusive bool) (*file, bool) {
	flags := os.O_RDWR | os.O_CREATE | os.O_TRUNC
	if exclusive {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, false
	}
	zeros := make([]byte, 1<<18)
	for n := 0; n < size && err == nil; n += len(zeros) {
		_, err = f.Write(zeros)
	}
	if err == nil {
		var data []byte
		if data, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err == nil {
			_ = f.Close()
			return &file{data: data, room: size}, true
		}
	}
	_, seek := f.Seek(0, 0)
	if cut := f.Truncate(0); cut != nil || seek != nil {
		_ = f.Close()
		return nil, false
	}
	return &file{plain: f, room: size}, true
}

func (f *file) write(line []byte) {
	if f.plain != nil {
		_, _ = f.plain.Write(line) // there is nobody to tell
	} else {
		copy(f.data[len(f.data)-f.room:], line)
	}
	f.room -= len(line)
}

// empty makes room of what was written, where it lies in memory.
func (f *file) empty() bool {
	if f.data == nil {
		return false
	}
	clear(f.data)
	f.room = len(f.data)
	return true
}

func (f *file) close() {
	if f.plain != nil {
		_ = f.plain.Close()
		return
	}
	if f.data != nil {
		_ = syscall.Munmap(f.data)
	}
}

// memory is all of the file, nothing where it lies in none.
func (f *file) memory() []byte { return f.data }
