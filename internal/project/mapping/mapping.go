// Package mapping finds out where the sources of a workspace lie for a program that
// was started elsewhere: in a container, in a copy, on the machine that built it. It
// maps only by evidence: the same end of a path, and the same content wherever that
// of the program can be had. It knows nothing of debuggers.
package mapping

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

// Mapping says that a directory here is another one for the program.
type Mapping struct {
	Local, Remote string
	File          string // that showed it, as it is called here
	Compared      bool   // it has the same content for both; else only the same end of its path
}

// Program is what is known of one before it is attached to. Paths are its own.
type Program struct {
	Files []string // that it runs, or was built from
	Dirs  []string // in which its files may lie
	Root  string   // directory through which its files can be read here; empty: they cannot
}

// Workspace is where the sources lie here.
type Workspace struct {
	Root   string
	Wanted []string // files that have to be found in the program, absolute
	// May says whether a file may be read; nil: all may.
	May func(path string) bool
}

// Bounds of a search.
const (
	mostFiles    = 200 // of a program
	mostMappings = 5   // more are no plain evidence
	mostParts    = 8   // of the end of a path
	enoughParts  = 2   // of the end of a path, where no content can be compared
	largest      = 4 << 20
)

// Find is how a workspace is mapped to a program. What the program has by the same
// path as the workspace is not mapped.
func Find(w Workspace, p Program) []Mapping {
	if real, err := filepath.EvalSymlinks(w.Root); err == nil {
		w.Root = real
	}
	f := finder{w: w, p: p}
	if p.Root != "" {
		if root, err := os.OpenRoot(p.Root); err == nil {
			defer root.Close()
			f.root = root
		}
	}
	for _, local := range w.Wanted {
		f.findLocal(local)
	}
	for _, remote := range p.Files[:min(len(p.Files), mostFiles)] {
		f.findRemote(path.Clean(remote))
	}
	return f.found
}

// Has says whether a program has anything below a path of its own; sure is false
// where that cannot be known.
func Has(p Program, remote string) (has, sure bool) {
	for _, file := range p.Files {
		if _, below := source.Below(path.Clean(file), path.Clean(remote)); below {
			return true, true
		}
	}
	if p.Root == "" {
		return false, len(p.Files) > 0
	}
	root, err := os.OpenRoot(p.Root)
	if err != nil {
		return false, len(p.Files) > 0
	}
	defer root.Close()
	_, err = root.Stat(strings.TrimPrefix(path.Join("/", remote), "/"))
	return err == nil, true
}

type finder struct {
	w     Workspace
	p     Program
	root  *os.Root  // nil: nothing of the program can be read
	files *[]string // of the workspace, once they are needed
	found []Mapping
}

// findLocal looks for a file of the workspace in the directories of the program.
func (f *finder) findLocal(local string) {
	if f.root == nil || f.covers(local) {
		return
	}
	seen := f.compare(local, local) == equal // by its own path
	parts := strings.Split(strings.TrimPrefix(filepath.ToSlash(local), "/"), "/")
	for _, dir := range f.p.Dirs {
		_, inside := source.Below(dir, f.w.Root)
		_, around := source.Below(f.w.Root, dir)
		if seen && (inside || around) {
			continue
		}
		for n := min(len(parts), mostParts); n > 0; n-- {
			remote := path.Join(dir, path.Join(parts[len(parts)-n:]...))
			if f.compare(local, remote) == equal {
				f.add(local, remote, true)
				return
			}
		}
	}
}

// findRemote looks for a file of the program in the workspace: by as much of the end
// of its path as leads to one.
func (f *finder) findRemote(remote string) {
	if !path.IsAbs(remote) || f.reaches(remote) {
		return
	}
	parts := strings.Split(strings.TrimPrefix(remote, "/"), "/")
	for n := min(len(parts), mostParts); n > 0; n-- {
		end := filepath.FromSlash(path.Join(parts[len(parts)-n:]...))
		local := filepath.Join(f.w.Root, end)
		if !isFile(local) {
			continue
		}
		f.judge(local, remote, n)
		return
	}
	for n := min(len(parts), enoughParts); n > 0; n-- {
		end := filepath.FromSlash(path.Join(parts[len(parts)-n:]...))
		if found := f.filesEnding(end); len(found) > 0 {
			f.chooseAmong(found, remote)
			return
		}
	}
}

// chooseAmong judges several files that one of the program may be: the only one that has
// its content, or where that cannot be had the only one there is.
func (f *finder) chooseAmong(found []string, remote string) {
	var is []string
	for _, local := range found {
		if f.compare(local, remote) != different {
			is = append(is, local)
		}
	}
	if len(is) == 1 {
		f.add(is[0], remote, f.compare(is[0], remote) == equal)
	}
}

// filesEnding are the files of the workspace whose paths end so; none where it has more
// files than are looked at.
func (f *finder) filesEnding(end string) []string {
	if f.files == nil {
		files, all := source.FilesBelow(f.w.Root)
		if !all {
			files = nil
		}
		f.files = &files
	}
	return source.EndingIn(*f.files, end)
}

// judge takes a pair of files for one where the evidence is plain.
func (f *finder) judge(local, remote string, parts int) {
	switch f.compare(local, remote) {
	case equal:
		f.add(local, remote, true)
	case unknown:
		if parts >= enoughParts || len(f.filesEnding(filepath.Base(local))) == 1 {
			f.add(local, remote, false)
		}
	}
}

// likeness of two files.
type likeness int

const (
	unknown likeness = iota // the program's cannot be had
	equal
	different
)

func (f *finder) compare(local, remote string) likeness {
	if f.root == nil {
		return unknown
	}
	theirs, err := f.read(remote)
	if err != nil {
		return unknown
	}
	if f.w.May != nil && !f.w.May(local) {
		return different // of what may not be read nothing is told
	}
	ours, err := boundedfile.Read(local, largest)
	if err != nil || len(ours) == 0 || !bytes.Equal(ours, theirs) { // many are empty
		return different
	}
	return equal
}

func (f *finder) read(remote string) ([]byte, error) {
	name := strings.TrimPrefix(path.Clean("/"+remote), "/")
	info, err := f.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > largest {
		return nil, os.ErrInvalid
	}
	return f.root.ReadFile(name)
}

// add notes a mapping: the directories above the end that both paths have in common.
func (f *finder) add(local, remote string, compared bool) {
	ours, theirs := filepath.ToSlash(local), remote
	for path.Base(ours) == path.Base(theirs) && path.Dir(ours) != ours && path.Dir(theirs) != theirs {
		if ours == filepath.ToSlash(f.w.Root) { // what lies above is no part of it
			break
		}
		ours, theirs = path.Dir(ours), path.Dir(theirs)
	}
	m := Mapping{Local: filepath.FromSlash(ours), Remote: theirs, File: local, Compared: compared}
	if filepath.ToSlash(m.Local) == m.Remote || len(f.found) == mostMappings || slices.ContainsFunc(f.found, func(x Mapping) bool { return x.Remote == m.Remote }) {
		return
	}
	f.found = append(f.found, m)
}

// covers says that a file of the workspace is mapped already, to one that is there.
func (f *finder) covers(local string) bool {
	return slices.ContainsFunc(f.found, func(m Mapping) bool {
		rest, below := source.Below(local, m.Local)
		return below && f.compare(local, path.Join(m.Remote, filepath.ToSlash(rest))) == equal
	})
}

// reaches says that a file of the program is mapped already, to one that is here.
func (f *finder) reaches(remote string) bool {
	return slices.ContainsFunc(f.found, func(m Mapping) bool {
		rest, below := source.Below(remote, m.Remote)
		return below && isFile(filepath.Join(m.Local, filepath.FromSlash(rest)))
	})
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
