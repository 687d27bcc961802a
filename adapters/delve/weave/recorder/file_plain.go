//go:build go1.22 && !unix

package recorder

import "os"

// file is one of a recording. Each event is written by itself, at once.
type file struct {
	plain *os.File
	room  int
}

// open makes a file of a size, and fails if it must be new and is there.
func open(path string, size int, exclusive bool) (*file, bool) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if exclusive {
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(path, flags, 0o600)
	return &file{f, size}, err == nil
}

func (f *file) write(line []byte) {
	_, _ = f.plain.Write(line) // there is nobody to tell
	f.room -= len(line)
}

// empty is for what lies in memory.
func (f *file) empty() bool { return false }

func (f *file) close() {
	if f.plain != nil {
		_ = f.plain.Close()
	}
}

// memory is all of the file: it lies in none.
func (f *file) memory() []byte { return nil }
