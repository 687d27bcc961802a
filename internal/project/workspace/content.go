package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/project/source"
)

// How much of a workspace is compared with another.
const (
	mostContentEntries = 200_000
	mostContent        = 1 << 30
)

// errTooMuchContent is why a workspace has no digest.
var errTooMuchContent = errors.New("the workspace is too big to be compared")

// dependencies are directories of what others have written. They are told by names and sizes alone:
// to read them takes too long.
var dependencies = map[string]bool{"node_modules": true, "vendor": true}

// ReadContent is a digest of all that a workspace holds, the same wherever that is the same: of the
// names and contents of its files, whether they may be run, and where links lead. What builds and
// tools have made (hidden directories, environments, target, dist, compiled Python) does not
// count.
func (l Languages) ReadContent(ctx context.Context, root string) (string, error) {
	sum := sha256.New()
	r := contentReader{ctx: ctx, known: l, root: root, to: sum, left: mostContent}
	if err := filepath.WalkDir(root, r.visit); err != nil {
		return "", fmt.Errorf("reading the workspace: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

type contentReader struct {
	ctx     context.Context
	known   Languages
	root    string
	to      io.Writer
	left    int64
	entries int
}

func (r *contentReader) visit(path string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return context.Cause(r.ctx)
	}
	if r.entries++; r.entries > mostContentEntries {
		return errTooMuchContent
	}
	rel, err := filepath.Rel(r.root, path)
	if err != nil || rel == "." {
		return err
	}
	rel = filepath.ToSlash(rel)
	switch {
	case d.IsDir() && (source.Skipped(d.Name()) && !dependencies[d.Name()] || r.known.isMadeDirectory(path)):
		return fs.SkipDir
	case d.IsDir():
		fmt.Fprintf(r.to, "%q directory\n", rel)
		return nil
	case d.Type()&fs.ModeSymlink != 0:
		return r.link(path, rel)
	case !d.Type().IsRegular():
		return nil
	}
	return r.file(path, rel, d)
}

// link tells where a link leads; one into the workspace by its whole path leads to the same place
// in another.
func (r *contentReader) link(path, rel string) error {
	target, err := os.Readlink(path)
	if err != nil {
		return err
	}
	if inside, found := strings.CutPrefix(target, r.root+string(filepath.Separator)); found {
		target = "./" + filepath.ToSlash(inside)
	}
	fmt.Fprintf(r.to, "%q link %q\n", rel, target)
	return nil
}

func (r *contentReader) file(path, rel string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if isDependency(rel) {
		fmt.Fprintf(r.to, "%q of %d\n", rel, info.Size())
		return nil
	}
	if r.left -= info.Size(); r.left < 0 {
		return errTooMuchContent
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	own := sha256.New()
	if _, err := io.Copy(own, io.LimitReader(f, mostContent)); err != nil {
		return err
	}
	fmt.Fprintf(r.to, "%q %t %x\n", rel, info.Mode()&0o111 != 0, own.Sum(nil))
	return nil
}

func isDependency(rel string) bool {
	for name := range dependencies {
		if strings.HasPrefix(rel, name+"/") || strings.Contains(rel, "/"+name+"/") {
			return true
		}
	}
	return false
}
