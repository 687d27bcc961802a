// Package kept lays out files that are embedded in the binary where they stay from one
// session to the next: what an interpreter makes of them is then made once.
package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	prefix   = "files-"
	fresh    = ".new-"             // being laid out
	keptFor  = 30 * 24 * time.Hour // since they were used last: another version's may be in use
	refresh  = 24 * time.Hour      // how old the note of the last use may be
	leftover = time.Hour           // what is still fresh then belongs to nobody
)

// Lay is a folder below parent that holds these files and whatever was made of them
// there. It is named after what is in them, so that versions do not meet, and it is laid
// out anew where one of the files is not as it was.
func Lay(parent string, files fs.FS) (dir string, err error) {
	texts, name, err := read(files)
	if err != nil {
		return "", fmt.Errorf("reading the files to keep: %w", err)
	}
	dir = filepath.Join(parent, name)
	if isComplete(dir, texts) {
		touch(dir)
		return dir, nil
	}
	if err := layOut(parent, dir, texts); err != nil {
		return "", fmt.Errorf("keeping files: %w", err)
	}
	prune(parent, dir)
	return dir, nil
}

// file is one of them: its path in the folder, and what is in it.
type file struct {
	path string
	text []byte
}

func read(files fs.FS) (texts []file, name string, err error) {
	sum := sha256.New()
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		fmt.Fprintf(sum, "%s %d\n", path, len(text))
		sum.Write(text)
		texts = append(texts, file{filepath.FromSlash(path), text})
		return err
	})
	return texts, prefix + hex.EncodeToString(sum.Sum(nil))[:16], err
}

// isComplete says that all files are there as they were laid out.
func isComplete(dir string, texts []file) bool {
	return !slices.ContainsFunc(texts, func(f file) bool {
		text, err := os.ReadFile(filepath.Join(dir, f.path))
		return err != nil || !bytes.Equal(text, f.text)
	})
}

// layOut lays the files out beside the folder and renames, so that nobody sees half of them; of
// two at once either may win.
func layOut(parent, dir string, texts []file) error {
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	begun, err := os.MkdirTemp(parent, fresh)
	if err != nil {
		return err
	}
	defer os.RemoveAll(begun)
	for _, f := range texts {
		path := filepath.Join(begun, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.text, 0o600); err != nil {
			return err
		}
	}
	if os.Rename(begun, dir) == nil || isComplete(dir, texts) {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil { // what is there is damaged
		return err
	}
	if err := os.Rename(begun, dir); err != nil && !isComplete(dir, texts) {
		return err
	}
	return nil
}

// touch notes that a folder is in use.
func touch(dir string) {
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > refresh {
		now := time.Now()
		_ = os.Chtimes(dir, now, now) // it is laid out again if it goes
	}
}

// prune removes other versions that nobody has used for long.
func prune(parent, dir string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, e := range entries {
		limit := keptFor
		switch {
		case strings.HasPrefix(e.Name(), fresh):
			limit = leftover
		case !strings.HasPrefix(e.Name(), prefix) || e.Name() == filepath.Base(dir):
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > limit {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}
