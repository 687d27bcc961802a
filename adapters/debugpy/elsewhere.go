package debugpy

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// elsewhere is where a program is that has another root directory, as in another container or after a
// chroot. The debugger that is put into it is loaded from files, and it sees none of ours: for as long
// as the session lasts it has a copy of them, in a directory which everybody there can read and nobody
// but we can change.
type elsewhere struct {
	root string // as we reach it
	pid  int    // of the program, as it knows itself
	dir  string // of the copy, as the program sees it
}

// where is where a program is; nil: its root directory is ours. The error says why the debugger cannot
// be put into it.
func where(pid int) (*elsewhere, error) {
	root := process.OtherRoot(pid)
	if root == "" {
		return nil, nil
	}
	if !process.SameNetwork(pid) {
		return nil, fault.New(fault.SessionStart, "process %d runs in another container with a network of its own, where the debugger that is put into it does not reach us", pid).WithField("pid").
			WithHint("run aidb-mcp where it shares the network, as in the same pod; or start the program with `python -m debugpy --listen 0.0.0.0:5678 …` and attach to its port")
	}
	return &elsewhere{root: root, pid: process.OwnPID(pid)}, nil
}

// Where a program's system lets everybody have files.
var shared = []string{"tmp", "var/tmp", "dev/shm"}

// carry copies the debugger to where the program sees it.
func (e *elsewhere) carry(home string) error {
	root, err := os.OpenRoot(e.root) // which no link of the program's leads out of
	if err != nil {
		return fmt.Errorf("reaching the files of the program: %w", err)
	}
	defer root.Close()
	var refused []error
	for _, parent := range shared {
		dir := path.Join(parent, "aidb-"+rand.Text())
		if err = root.Mkdir(dir, 0o700); err == nil {
			e.dir = "/" + dir
			if err = e.copyTo(root, home); err == nil {
				return nil
			}
			_ = root.RemoveAll(dir)
			e.dir = ""
		}
		refused = append(refused, err)
	}
	return fault.New(fault.SessionStart, "the debugger cannot be put into the program, which sees other files than we: no copy of it can be made there (%w)", errors.Join(refused...)).WithField("pid").
		WithHint("give the program's container a /tmp that can be written and from which programs may be loaded; or start the program with `python -m debugpy --listen 5678 …` and attach to its port")
}

// copyTo copies what of the debugger is needed in a program.
func (e *elsewhere) copyTo(root *os.Root, home string) error {
	if !process.CanLoadFrom(e.ours()) {
		return fmt.Errorf("programs may not be loaded from %s (noexec)", path.Dir(e.dir))
	}
	to := strings.TrimPrefix(e.dir, "/")
	from := os.DirFS(home)
	err := fs.WalkDir(from, "debugpy", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := path.Join(to, name)
		switch {
		case entry.Name() == "__pycache__" || entry.Name() == "winappdbg":
			return fs.SkipDir
		case entry.IsDir():
			if err := root.Mkdir(at, 0o700); err != nil {
				return err
			}
			return root.Chmod(at, 0o755) // whatever our mask is
		case path.Ext(name) != ".py" && path.Ext(name) != ".so":
			return nil
		}
		text, err := fs.ReadFile(from, name)
		if err == nil {
			err = root.WriteFile(at, text, 0o600)
		}
		if err != nil {
			return err
		}
		return root.Chmod(at, 0o644)
	})
	if err == nil {
		err = root.Chmod(to, 0o755)
	}
	return err
}

// ours is the path of the copy for us.
func (e *elsewhere) ours() string { return filepath.Join(e.root, e.dir) }

// addTo adds the variables by which the adapter's process knows where the program is.
func (e *elsewhere) addTo(to map[string]string, pid int) {
	to["AIDB_PROGRAM"] = strconv.Itoa(pid)
	to["AIDB_PROGRAM_DIR"] = e.dir
	to["AIDB_PROGRAM_ROOT"] = e.root
}
