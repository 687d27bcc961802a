package source

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
)

// Bounds of the cache.
const (
	maxFiles    = 64
	maxFileSize = 16 << 20
)

// Files reads source files and remembers their lines until they change on disk
// (by size or modification time). At most 64 files of at most 16 MiB are kept.
// It is safe for concurrent use; mu guards everything below it.
type Files struct {
	permit func(path string) error

	mu    sync.Mutex
	files map[string]*file
	clock int // counts reads, to find the file that was not used for longest
}

type file struct {
	lines    []string
	kinds    []Kind // made when first asked for
	size     int64
	modified time.Time
	used     int
}

// NewFiles returns an empty cache. What permit gives an error for is not read, and
// that is the error; nil permits everything.
func NewFiles(permit func(path string) error) *Files {
	if permit == nil {
		permit = func(string) error { return nil }
	}
	return &Files{permit: permit, files: map[string]*file{}}
}

// Count returns the number of lines of a file. A final newline ends the last
// line and starts none.
func (f *Files) Count(path string) (int, error) {
	c, err := f.load(path)
	if err != nil {
		return 0, err
	}
	return len(c.lines), nil
}

// Lines returns the lines from to to, both included and counted from 1, as far
// as the file has them. Line ends are cut off.
func (f *Files) Lines(path string, from, to int) ([]string, error) {
	c, err := f.load(path)
	if err != nil {
		return nil, err
	}
	from, to = max(from, 1), min(to, len(c.lines))
	if from > to {
		return nil, nil
	}
	return c.lines[from-1 : to : to], nil
}

// Text returns one line. A line outside of the file is an error that says how
// many there are.
func (f *Files) Text(path string, line int) (string, error) {
	c, err := f.load(path)
	if err != nil {
		return "", err
	}
	if err := c.check(path, line); err != nil {
		return "", err
	}
	return c.lines[line-1], nil
}

// Kind tells whether a line is blank, a comment or code.
func (f *Files) Kind(path string, line int) (Kind, error) {
	c, err := f.load(path)
	if err != nil {
		return Code, err
	}
	if err := c.check(path, line); err != nil {
		return Code, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if c.kinds == nil {
		c.kinds = Kinds(path, c.lines)
	}
	return c.kinds[line-1], nil
}

func (c *file) check(path string, line int) error {
	if line >= 1 && line <= len(c.lines) {
		return nil
	}
	return fault.New(fault.InvalidLocation, "line %d is outside of %s, which has %d lines", line, path, len(c.lines)).
		WithHint("give a line from 1 to %d", len(c.lines))
}

// load returns the file as it is on disk now. It is read while nobody waits for
// mu: a slow disk holds only those who want that file.
func (f *Files) load(path string) (*file, error) {
	if err := f.permit(path); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, unread(path, err)
	}
	if c := f.knownFile(path, info); c != nil {
		return c, nil
	}
	text, info, err := boundedfile.ReadInfo(path, maxFileSize)
	switch {
	case errors.Is(err, boundedfile.ErrNot), errors.Is(err, boundedfile.ErrTooLarge):
		return nil, fault.New(fault.InvalidLocation, "%w", err).WithHint("name a source file")
	case err != nil:
		return nil, unread(path, err)
	}
	return f.keep(path, &file{lines: splitLines(string(text)), size: info.Size(), modified: info.ModTime()}), nil
}

// unread is why a source cannot be read: a path that a debugger tells may be of
// another machine, or of none.
func unread(path string, err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		err = of.Err
	}
	return fault.New(fault.InvalidLocation, "the source %s cannot be read: %w", shorten(path), err).
		WithHint("name a file that is there; path_mappings or source_paths of session_start say where sources of another machine lie")
}

// shorten keeps the end of a path that is longer than any system's.
func shorten(path string) string {
	const longest = 4096
	if len(path) <= longest {
		return path
	}
	return "…" + strings.ToValidUTF8(path[len(path)-longest:], "")
}

// knownFile is the file as it was read, nil if it has not been or has changed.
func (f *Files) knownFile(path string, info fs.FileInfo) *file {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.files[path]
	if c == nil || c.size != info.Size() || !c.modified.Equal(info.ModTime()) {
		return nil
	}
	f.clock++
	c.used = f.clock
	return c
}

func (f *Files) keep(path string, c *file) *file {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.clock++
	c.used = f.clock
	f.files[path] = c
	f.evict()
	return c
}

// evict drops the file not used for longest when there are too many; mu is held.
func (f *Files) evict() {
	if len(f.files) <= maxFiles {
		return
	}
	oldest, used := "", f.clock+1
	for path, c := range f.files {
		if c.used < used {
			oldest, used = path, c.used
		}
	}
	delete(f.files, oldest)
}

func splitLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}
