// Package duplicate copies a directory, so that something can be changed and run there
// while the original stays as it is. Where the file system can share the blocks of two
// files until one is written to, it does. Nothing is linked: what a program writes in
// the copy never reaches the original.
package duplicate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Limits are how much is copied at most.
type Limits struct {
	Files int
	Bytes int64
}

// TooMuch is why a directory was not copied.
type TooMuch struct{ Limits }

func (e *TooMuch) Error() string {
	return fmt.Sprintf("it has more than %d files or %d MB", e.Files, e.Bytes>>20)
}

// left are folders that no program needs to run: what versions were there before.
var left = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true}

// Make copies the directory from to the directory to, which must not be there yet, for
// this user alone. Sockets, pipes and devices are left out. What was copied when an
// error came stays there: it is the caller's to remove.
func Make(ctx context.Context, from, to string, most Limits) error {
	c := copier{ctx: ctx, from: from, to: to, room: most, most: most}
	return filepath.WalkDir(from, c.visit)
}

type copier struct {
	ctx        context.Context
	from, to   string
	room, most Limits
}

func (c *copier) visit(path string, d fs.DirEntry, err error) error {
	if err != nil {
		if path != c.from && errors.Is(err, fs.ErrPermission) {
			return nil // whoever may not read it does not run it
		}
		return err
	}
	if err := c.ctx.Err(); err != nil {
		return context.Cause(c.ctx)
	}
	rel, err := filepath.Rel(c.from, path)
	if err != nil {
		return err
	}
	to := filepath.Join(c.to, rel)
	if d.IsDir() {
		if left[d.Name()] && path != c.from {
			return fs.SkipDir
		}
		return os.Mkdir(to, 0o700)
	}
	if c.room.Files--; c.room.Files < 0 {
		return &TooMuch{c.most}
	}
	if d.Type()&fs.ModeSymlink != 0 {
		return c.link(path, to)
	}
	if !d.Type().IsRegular() {
		return nil
	}
	return c.file(path, to)
}

// link makes the same link; one that names a place in the original by its whole path
// names that of the copy.
func (c *copier) link(path, to string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if rest, inside := strings.CutPrefix(target, c.from+string(filepath.Separator)); inside {
		target = filepath.Join(c.to, rest)
	}
	return os.Symlink(target, to)
}

func (c *copier) file(path, to string) (err error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if c.room.Bytes -= info.Size(); c.room.Bytes < 0 {
		return &TooMuch{c.most}
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close(), os.Chtimes(to, info.ModTime(), info.ModTime())) }()
	_, err = io.Copy(out, in) // shares blocks where the system can
	return err
}
