// Package boundedfile reads files that a project or a user names: regular files of a
// bounded size and nothing else. A path may lead to a device that never ends, or
// to a named pipe that nobody writes to; those are refused, and not opened.
//
// The package knows nothing about what the files hold.
package boundedfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// ErrNot is the reason why something that is no regular file is not read.
var ErrNot = errors.New("not a regular file")

// ErrTooLarge is the reason why a file above the limit is not read.
var ErrTooLarge = errors.New("too large to be read")

// largestText is the most that a text of a project has, in bytes.
const largestText = 8 << 20

// ReadText returns what a source, a manifest or a configuration holds: at most
// 8 MiB, without the mark that some editors put before UTF-8.
func ReadText(path string) ([]byte, error) {
	text, err := Read(path, largestText)
	return bytes.TrimPrefix(text, []byte("\ufeff")), err
}

// Read returns what a regular file of at most limit bytes holds.
func Read(path string, limit int64) ([]byte, error) {
	text, _, err := ReadInfo(path, limit)
	return text, err
}

// ReadInfo is Read, and what the system said about the file when it was opened.
func ReadInfo(path string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, nil, tooLarge(path, info.Size(), limit)
	}
	text, err := contents(f, limit)
	if err != nil {
		return nil, nil, err
	}
	if int64(len(text)) > limit {
		return nil, nil, tooLarge(path, int64(len(text)), limit)
	}
	return text, info, nil
}

// contents reads one byte more than limit at most. Some files, those of /proc
// among them, say that they are empty, and any file may grow meanwhile.
func contents(f *os.File, limit int64) ([]byte, error) {
	patient(f)
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// patience is for files that call themselves regular and have their readers wait,
// such as the kernel's log in /proc.
const patience = 2 * time.Second

// patient bounds the wait for what can be waited for. Files of a disk cannot.
func patient(f *os.File) { _ = f.SetReadDeadline(time.Now().Add(patience)) }

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	f, _, err := open(path)
	if err == nil {
		patient(f)
	}
	return f, err
}

// longestLine is the most that a line has, in bytes.
const longestLine = 1 << 20

// Line reads one line of a text, counted from 1; false when there is no such line.
func Line(path string, number int) (text string, found bool) {
	f, err := Open(path)
	if err != nil {
		return "", false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		if n == number {
			return lines.Text(), true
		}
	}
	return "", false
}

// Special names what a path leads to when that is neither a file nor a directory:
// "a named pipe". It is empty for these, and where there is nothing.
func Special(path string) string {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Mode().IsRegular() {
		return ""
	}
	return kind(info.Mode())
}

// open looks twice: what a path names can change between the two, and opening
// some devices does something by itself.
func open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := check(path, info); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s: %w", path, kind(info.Mode()), ErrNot)
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}

func tooLarge(path string, size, limit int64) error {
	return fmt.Errorf("%s has %d bytes or more, and %d is the most that is read: %w", path, size, limit, ErrTooLarge)
}
