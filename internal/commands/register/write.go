package register

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aidb-mcp/internal/system/boundedfile"
)

// backupSuffix ends the name of a file as it was before setup changed it.
const backupSuffix = ".aidb-backup"

// backup keeps a file as it is. No file, no backup.
func backup(file string) (saved string, err error) {
	text, info, err := boundedfile.ReadInfo(file, largest)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err == nil {
		saved = file + backupSuffix
		err = replace(saved, text, info.Mode().Perm())
	}
	if err != nil {
		return "", fmt.Errorf("keeping %s as it was: %w; nothing was changed", file, reason(err))
	}
	return saved, nil
}

// write puts a file in place of another in one step, with its mode; where a link
// stands, in place of what it leads to. No text: the file is removed.
func write(file string, text []byte, scope Scope) (madeDir string, err error) {
	if text == nil {
		if err := os.Remove(file); err != nil {
			return "", fmt.Errorf("removing %s: %w", file, reason(err))
		}
		return "", nil
	}
	mode := fs.FileMode(0o600)
	if scope == Project {
		mode = 0o644
	}
	info, err := os.Stat(file)
	switch {
	case err == nil:
		mode = info.Mode().Perm()
		if file, err = filepath.EvalSymlinks(file); err != nil {
			return "", fmt.Errorf("following %s: %w", file, err)
		}
		if err := writable(file); err != nil {
			return "", fmt.Errorf("writing %s: %w; nothing was changed", file, reason(err))
		}
	case errors.Is(err, fs.ErrNotExist):
		if link, err := os.Readlink(file); err == nil {
			return "", fmt.Errorf("%s is a link to %s, which does not exist; nothing was changed", file, link)
		}
		madeDir = firstMissing(filepath.Dir(file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", fmt.Errorf("making the folder of %s: %w; nothing was changed", file, reason(err))
		}
	default:
		return "", fmt.Errorf("writing %s: %w; nothing was changed", file, reason(err))
	}
	if err := replace(file, text, mode); err != nil {
		return "", fmt.Errorf("writing %s: %w; nothing was changed", file, reason(err))
	}
	return madeDir, nil
}

// writable fails for a file that its owner has closed: to put another in its place
// would be possible all the same.
func writable(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// replace writes a file beside another, and renames it.
func replace(file string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// firstMissing is the topmost folder of a path that is not there.
func firstMissing(dir string) string {
	missing := ""
	for !exists(dir) {
		missing = dir
		dir = filepath.Dir(dir)
	}
	return missing
}
