package delve

import (
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The go command does not link again what it finds linked at the place where it is to put
// it: by the content of all that went into it, which it notes in the executable. So the
// executable of the build before is put there first, by a hard link: each session has a
// name of its own for what it debugs, and a build after it replaces another name.

const (
	mostKept      = 24
	mostKeptBytes = 1 << 30 // of all of them
)

// keptProgram is the place of a kept executable: a directory with that one file.
type keptProgram struct{ dir string }

// keptFor is the place of what such a build makes. Two builds that share one cost each
// other a link.
func (a *adapter) keptFor(goCommand, from string, flags, args []string) keptProgram {
	if a.Kept == "" {
		return keptProgram{}
	}
	flags = slices.Clone(flags)
	for i, flag := range flags {
		if strings.HasPrefix(flag, "-overlay=") { // each has a path of its own
			flags[i] = "-overlay"
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", goCommand, from, flags, args))
	return keptProgram{filepath.Join(a.Kept, hex.EncodeToString(sum[:12]))}
}

// lend puts the kept executable where the go command is about to link, and is what it is
// called there; empty where there is none.
func (k keptProgram) lend(output string) string {
	if k.dir == "" {
		return ""
	}
	file, err := soleFile(k.dir)
	if err != nil || os.Mkdir(output, 0o700) != nil {
		return ""
	}
	lent := filepath.Join(output, filepath.Base(file))
	if err := os.Link(file, lent); err != nil { // another file system, or it has just been replaced
		return ""
	}
	now := time.Now() // it is the newest build there is, if it stays
	_ = os.Chtimes(lent, now, now)
	return lent
}

// keep keeps what was built, in place of what was kept before. Where it cannot, the next
// build links.
func (k keptProgram) keep(program string) {
	if k.dir == "" || !isLinkedByGo(program) {
		return
	}
	kept := filepath.Join(k.dir, filepath.Base(program))
	if one, err := os.Stat(program); err == nil {
		if other, err := os.Stat(kept); err == nil && os.SameFile(one, other) {
			return
		}
	}
	parent := filepath.Dir(k.dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return
	}
	begun, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return
	}
	defer os.RemoveAll(begun)
	if os.Link(program, filepath.Join(begun, filepath.Base(program))) != nil {
		return
	}
	if os.RemoveAll(k.dir) == nil && os.Rename(begun, k.dir) == nil {
		pruneKept(parent)
	}
}

// isLinkedByGo says that Go's own linker has made an executable, and not the system's: that
// may have put libraries into it which the go command does not look at.
func isLinkedByGo(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Section(".comment") == nil && f.Section(".init") == nil
}

// pruneKept removes those that were used longest ago, beyond what may be kept, and what
// was left half made.
func pruneKept(parent string) {
	type entry struct {
		dir  string
		used time.Time
		size int64
	}
	var all []entry
	dirs, _ := os.ReadDir(parent)
	for _, d := range dirs {
		dir := filepath.Join(parent, d.Name())
		var info fs.FileInfo
		file, err := soleFile(dir)
		if err == nil {
			info, err = os.Stat(file)
		}
		switch {
		case err == nil && !strings.HasPrefix(d.Name(), "."):
			all = append(all, entry{dir, info.ModTime(), info.Size()})
		case err == nil && time.Since(info.ModTime()) > time.Hour:
			_ = os.RemoveAll(dir)
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(b.used.UnixNano(), a.used.UnixNano()) })
	size := int64(0)
	for i, e := range all {
		if size += e.size; i > 0 && (i >= mostKept || size > mostKeptBytes) {
			_ = os.RemoveAll(e.dir)
		}
	}
}
