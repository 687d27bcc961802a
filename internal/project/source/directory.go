package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"aidb-mcp/internal/fault"
)

// Directory is nil for a directory that can be read, else the error that says what
// is wrong with it (fault.InvalidTarget), and which there are of like names.
func Directory(path string) error {
	err := readable(path)
	if err == nil {
		return nil
	}
	const hint = "give the directory of the project"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f := fault.New(fault.InvalidTarget, "there is no directory %s", path)
		if like := similarDirectory(path); like != "" {
			return f.WithHint("did you mean %s?", like)
		}
		return f.WithHint(hint)
	case errors.Is(err, syscall.ENOTDIR):
		return fault.New(fault.InvalidTarget, "%s is no directory", path).WithHint(hint)
	case errors.Is(err, syscall.ELOOP):
		return fault.New(fault.InvalidTarget, "%s is a symbolic link that leads back to itself", path).WithHint(hint)
	case errors.Is(err, fs.ErrPermission):
		return fault.New(fault.InvalidTarget, "%s may not be read by this server", path).
			WithHint("let its user read the directory, or give another one")
	}
	return fault.New(fault.InvalidTarget, "the directory cannot be read: %w", err).WithHint(hint)
}

// readable tries to read an entry. What is no directory is not opened: a pipe would
// wait for its other end.
func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return syscall.ENOTDIR
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err = dir.ReadDir(1); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	_, err = os.Stat(path + "/.") // its names may be read, and nothing of what they name
	return err
}

// similarDirectory is the directory beside one that does not exist whose name is most like it.
func similarDirectory(path string) string {
	parent := filepath.Dir(path)
	dir, err := os.Open(parent)
	if err != nil {
		return ""
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(nearbyEntries) // those that can be read
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if like := Closest(filepath.Base(path), names, 1); len(like) > 0 {
		return filepath.Join(parent, like[0])
	}
	return ""
}
