// Package change is a change of the files of a directory: worked out before anything is
// written, known again by what it makes, written and taken back. It comes as a unified
// diff or as texts to be replaced.
//
// A change stays in its directory: a path that leads out of it, by dots or by a link, is
// refused. The package knows nothing of what the files are.
package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/changes/patch"
)

// Change is what becomes of some files of a directory.
type Change struct {
	Files []File
}

// File is one file before and after; nil where there is none.
type File struct {
	Name          string // below the directory, with slashes
	Before, After *string
	Lines         patch.Lines // where lines go
}

// Edit replaces a text that stands once in a file. An empty Old makes the file anew.
type Edit struct {
	File, Old, New string
}

// Patch is what a unified diff makes of a directory's files, as patch.Read reads it.
// Errors are one plain sentence.
func Patch(dir, diff string) (*Change, error) {
	files, err := patch.Read(diff)
	if err != nil {
		return nil, err
	}
	c := &Change{}
	for _, f := range files {
		if err := c.patch(dir, f); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Change) patch(dir string, f patch.File) error {
	var before *string
	text := ""
	if f.Old != "" {
		read, err := c.read(dir, f.Old)
		if err != nil {
			return err
		}
		before, text = &read, read
	}
	changed, lines, err := f.Apply(text)
	if err != nil {
		return err
	}
	if f.Old != "" && f.Old != f.New {
		c.put(File{Name: f.Old, Before: before})
		before = nil
	}
	if f.New == "" {
		return nil
	}
	if err := holds(dir, f.New); err != nil {
		return err
	}
	c.put(File{Name: f.New, Before: before, After: &changed, Lines: lines})
	return nil
}

// Edits is what replacing texts makes of a directory's files. A text must stand in its
// file exactly once; its line ends may differ from the file's. Errors are one plain
// sentence.
func Edits(dir string, edits []Edit) (*Change, error) {
	c := &Change{}
	for _, e := range edits {
		if err := c.edit(dir, e); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Change) edit(dir string, e Edit) error {
	name := path.Clean(filepath.ToSlash(e.File))
	if e.Old == "" {
		if _, err := c.read(dir, name); err == nil {
			return fmt.Errorf("%s is there: give the text of it that is to be replaced as old", name)
		} else if !errors.Is(err, errAbsent) {
			return err
		}
		c.put(File{Name: name, After: &e.New})
		return nil
	}
	text, err := c.read(dir, name)
	if err != nil {
		return err
	}
	before, after := text, ""
	old, replacement := e.Old, e.New
	if strings.Contains(text, "\r\n") {
		old, replacement = crlf(old), crlf(replacement)
	}
	switch strings.Count(text, old) {
	case 0:
		return fmt.Errorf("%s does not have the text %q", name, shorten(e.Old))
	case 1:
		after = strings.Replace(text, old, replacement, 1)
	default:
		return fmt.Errorf("%s has the text %q more than once, in lines %s: give more of it", name, shorten(e.Old), linesWith(text, old))
	}
	if after == before {
		return fmt.Errorf("%s stays as it is: old and new are the same", name)
	}
	c.put(File{Name: name, Before: &before, After: &after})
	return nil
}

func crlf(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

func shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func linesWith(text, part string) string {
	var lines []string
	for from := 0; len(lines) < 5; {
		i := strings.Index(text[from:], part)
		if i < 0 {
			break
		}
		lines = append(lines, fmt.Sprint(1+strings.Count(text[:from+i], "\n")))
		from += i + len(part)
	}
	return strings.Join(lines, ", ")
}

// put adds what becomes of a file, in place of what became of it until now.
func (c *Change) put(f File) {
	at := slices.IndexFunc(c.Files, func(o File) bool { return o.Name == f.Name })
	if at < 0 {
		c.Files = append(c.Files, f)
		return
	}
	f.Before = c.Files[at].Before
	c.Files[at] = f
}

var errAbsent = errors.New("it is not there")

// read is the text of a file as the change has made it until now.
func (c *Change) read(dir, name string) (string, error) {
	for _, f := range c.Files {
		if f.Name == name && f.After != nil {
			return *f.After, nil
		}
	}
	if err := holds(dir, name); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no %s in the workspace: %w", name, errAbsent)
	}
	return string(text), err
}

// holds checks that a path lies below a directory for real: what a link leads out to is
// somebody else's. Of a path that is not there its parents count.
func holds(dir, name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name {
		return fmt.Errorf("%s is no path below the workspace", name)
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	for at := filepath.Join(dir, filepath.FromSlash(name)); ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if errors.Is(err, fs.ErrNotExist) && at != dir {
			if _, err := os.Lstat(at); err != nil {
				continue
			}
		}
		if rel, relErr := filepath.Rel(root, real); err != nil || relErr != nil || !filepath.IsLocal(rel) {
			return fmt.Errorf("%s leads out of the workspace", strings.TrimPrefix(at, dir+string(filepath.Separator)))
		}
		return nil
	}
}

// Key names a change by what it makes of which files: the same change has the same key,
// however it was written.
func (c *Change) Key() string {
	files := slices.Clone(c.Files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	sum := sha256.New()
	for _, f := range files {
		fmt.Fprintf(sum, "%q", f.Name)
		for _, text := range []*string{f.Before, f.After} {
			if text == nil {
				fmt.Fprint(sum, " none")
				continue
			}
			fmt.Fprintf(sum, " %x", sha256.Sum256([]byte(*text)))
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Apply writes the change. Nothing is written when a file is no longer what it was when
// the change was worked out: *Moved.
func (c *Change) Apply(dir string) error {
	for _, f := range c.Files {
		if err := f.check(dir); err != nil {
			return err
		}
	}
	for i, f := range c.Files {
		if err := f.write(dir); err != nil {
			taken := Change{c.Files[:i]}
			return errors.Join(err, taken.inverse().Apply(dir))
		}
	}
	return nil
}

// Undo takes an applied change back, unless its files have changed since: *Moved.
func (c *Change) Undo(dir string) error { return c.inverse().Apply(dir) }

func (c *Change) inverse() *Change {
	inverse := &Change{}
	for _, f := range c.Files {
		inverse.Files = append(inverse.Files, File{Name: f.Name, Before: f.After, After: f.Before})
	}
	return inverse
}

// Moved is why a change was not written: the file is another by now.
type Moved struct{ Name string }

func (e *Moved) Error() string { return e.Name + " has changed meanwhile" }

func (f File) check(dir string) error {
	if err := holds(dir, f.Name); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if f.Before != nil {
			return &Moved{f.Name}
		}
		return nil
	case err != nil:
		return err
	case f.Before == nil || *f.Before != string(text):
		return &Moved{f.Name}
	}
	return nil
}

// write puts the file in place in one step, with the rights that it had.
func (f File) write(dir string) error {
	to := filepath.Join(dir, filepath.FromSlash(f.Name))
	if f.After == nil {
		return os.Remove(to)
	}
	mode, old := fs.FileMode(0o644), time.Time{}
	if info, err := os.Stat(to); err == nil {
		mode, old = info.Mode().Perm(), info.ModTime()
	} else if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(to); err == nil {
		to = real // a link within the workspace stays one
	}
	temporary, err := os.CreateTemp(filepath.Dir(to), ".aidb-*")
	if err != nil {
		return err
	}
	_, err = temporary.WriteString(*f.After)
	if err = errors.Join(err, temporary.Chmod(mode), temporary.Close(), newer(temporary.Name(), old)); err == nil {
		err = os.Rename(temporary.Name(), to)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
	return err
}

// newer sees to it that a file's time is another than that of the one that it replaces, and
// later, in whole seconds: so some tell whether what they have made of a file is still of it.
func newer(path string, old time.Time) error {
	info, err := os.Stat(path)
	if err != nil || info.ModTime().Unix() > old.Unix() {
		return err
	}
	next := old.Truncate(time.Second).Add(time.Second)
	return os.Chtimes(path, next, next)
}
