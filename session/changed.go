package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/changes/duplicate"
	"aidb-mcp/internal/changes/patch"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording"
	"aidb-mcp/internal/system/boundedfile"
)

// Changed is a copy of a workspace with a patch in it, and how to run there what would
// run in the original.
type Changed struct {
	Request StartRequest

	from, to string                 // the workspace and its copy
	scratch  string                 // in which the copy lies
	lines    map[string]patch.Lines // by path below the workspace
	built    string                 // a program that was built before the patch, and is not in the copy
}

// copied bounds a copy of a workspace.
var copied = duplicate.Limits{Files: 100_000, Bytes: 2 << 30}

// Change makes a copy of the request's workspace with the patch. Close removes it.
// Errors are *fault.Error and name the field against.patch.
func (m *Manager) Change(ctx context.Context, r StartRequest, text string) (*Changed, error) {
	if err := m.checkStart(r.Program); err != nil {
		return nil, err
	}
	c := &Changed{Request: r, from: r.Program.Workspace, lines: map[string]patch.Lines{}}
	if whole, err := filepath.EvalSymlinks(c.from); err == nil {
		c.from = whole
	}
	made, err := change.Patch(c.from, text) // before anything is copied
	if err != nil {
		return nil, cannotCopyError(err)
	}
	adapter, _ := m.adapterFor(&c.Request) // where there is none, the run says so
	if c.scratch, err = m.root.Scratch("copy-"); err == nil {
		c.to, err = linkSurroundings(adapter, c.from, c.scratch)
	}
	if err == nil {
		err = duplicate.Make(ctx, c.from, c.to, copied)
	}
	if much := (*duplicate.TooMuch)(nil); errors.As(err, &much) {
		err = fault.New(fault.NotSupported, "the workspace %s is too big to copy: %w", c.from, err).WithField("against.patch").
			WithHint("give workspace_root, under start, of the part that is to be run; or make the change by hand and trace twice")
	} else if err != nil {
		err = fault.New(fault.Internal, "copying the workspace: %w", err)
	} else {
		err = c.apply(made)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	c.relocateRequest()
	if adapter != nil {
		c.Request.Program.Language = adapter.Info().Language
	}
	c.unbuild()
	c.Request.changed = c
	return c, nil
}

// linkSurroundings is where the copy of a workspace is to lie: below links to what its
// program needs of the folders above. Links: what is installed there is not changed by
// running a program, and is too much to copy.
func linkSurroundings(adapter adapters.Adapter, from, scratch string) (string, error) {
	var above []string
	if adapter != nil {
		above = adapter.Info().Above
	}
	top := from
	for dir := filepath.Dir(from); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if slices.ContainsFunc(above, func(name string) bool { return exists(filepath.Join(dir, name)) }) {
			top = dir
		}
	}
	if top == from {
		return scratch, nil
	}
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return "", err
	}
	to := scratch
	for dir := top; dir != from; {
		for _, name := range above {
			if !exists(filepath.Join(dir, name)) {
				continue
			}
			if err := os.Symlink(filepath.Join(dir, name), filepath.Join(to, name)); err != nil {
				return "", err
			}
		}
		rest, _ := strings.CutPrefix(from, dir)
		next, _, _ := strings.Cut(strings.TrimLeft(rest, string(filepath.Separator)), string(filepath.Separator))
		dir, to = filepath.Join(dir, next), filepath.Join(to, next)
		if dir != from {
			if err := os.Mkdir(to, 0o700); err != nil {
				return "", err
			}
		}
	}
	return to, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// unbuild takes a program out of the copy that was built before the patch.
func (c *Changed) unbuild() { c.built = Unbuild(&c.Request, c.to) }

// Unbuild takes a program out of a folder that was built before the sources there were
// changed: what builds it has to do so anew, or it cannot be run. It answers with the
// target, where it was one.
func Unbuild(r *StartRequest, folder string) string {
	p := &r.Program
	target := p.Target
	if target == "" {
		return ""
	}
	if !filepath.IsAbs(target) {
		for _, dir := range []string{p.Cwd, p.Workspace} {
			if path := filepath.Join(dir, target); dir != "" && exists(path) {
				target = path
				break
			}
		}
	}
	if !isWithin(target, folder) || !isBuilt(target) || os.Remove(target) != nil {
		return ""
	}
	if p.Mode == adapters.Exec {
		p.Mode = adapters.Launch
	}
	return p.Target
}

// isBuilt says that a file is no source: there is a zero byte at its beginning.
func isBuilt(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false // a link leads to what is installed
	}
	f, err := boundedfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return bytes.IndexByte(head[:n], 0) >= 0
}

// Explain is an error of a run in the copy, with what to do where the program that was
// to run had been built before the patch.
func (c *Changed) Explain(err error) error {
	var f *fault.Error
	if c.built == "" || !errors.As(err, &f) {
		return err
	}
	return fault.New(f.Code, "%s was built before the patch and would not show it, and it cannot be built again: %w", c.built, err).WithField("against.patch").
		WithHint("give as target what it is built from: a source file, or the folder with its makefile or project file")
}

// Close removes the copy.
func (c *Changed) Close() {
	if c.scratch != "" {
		_ = os.RemoveAll(c.scratch)
	}
}

func cannotCopyError(err error) error {
	return fault.New(fault.InvalidParam, "the patch cannot be applied: %w", err).WithField("against.patch").
		WithHint(`for example "--- a/calc.py\n+++ b/calc.py\n@@ -3,1 +3,1 @@\n-    n = 0\n+    n = 1\n"; paths are below the workspace`)
}

func (c *Changed) apply(made *change.Change) error {
	if err := made.Apply(c.to); err != nil {
		return cannotCopyError(err)
	}
	for _, f := range made.Files {
		c.lines[filepath.FromSlash(f.Name)] = f.Lines
	}
	return nil
}

func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// relocateRequest makes the request point into the copy.
func (c *Changed) relocateRequest() {
	c.Request = Relocated(c.Request, c.to, c.Request.Program.Workspace, c.from)
}

// Relocated is a request whose places below one of the roots are those below another
// directory, which is a copy of them.
func Relocated(r StartRequest, to string, roots ...string) StartRequest {
	r.Before = nil // it would work on the original
	r.Program = r.Program.Relocated(to, roots...)
	return r
}

// Spec is what a run is to note, with its places in the copy.
func (c *Changed) Spec(w recording.Spec) (recording.Spec, error) {
	w.Values = slices.Clone(w.Values)
	for i := range w.Values {
		v := &w.Values[i]
		if err := c.relocatePlace(&v.File, &v.Line); err != nil {
			return w, err
		}
	}
	if w.First != nil {
		first := *w.First
		w.First = &first
		return w, c.relocateScope(&first.Scope)
	}
	if w.Writes != nil && w.Writes.File != "" {
		writes := *w.Writes
		w.Writes = &writes
		return w, c.relocatePlace(&writes.File, &writes.Line)
	}
	return w, nil
}

// relocateScope makes a scope point into the copy: its files, and places in them.
func (c *Changed) relocateScope(parts *[]string) error {
	*parts = slices.Clone(*parts)
	for i, part := range *parts {
		file, line := recording.FileLine(part)
		if line == 0 {
			if rel, err := filepath.Rel(c.from, part); err == nil && filepath.IsAbs(part) && filepath.IsLocal(rel) {
				(*parts)[i] = filepath.Join(c.to, rel)
			}
			continue
		}
		if err := c.relocatePlace(&file, &line); err != nil {
			var f *fault.Error
			if errors.As(err, &f) {
				f.Field = "scope"
			}
			return err
		}
		(*parts)[i] = fmt.Sprintf("%s:%d", file, line)
	}
	return nil
}

func (c *Changed) relocatePlace(file *string, line *int) error {
	rel, err := filepath.Rel(c.from, *file)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	there, ok := c.lines[rel].New(*line)
	if !ok {
		return fault.New(fault.InvalidLocation, "the patch takes line %d of %s away", *line, rel).WithField("location").
			WithHint("ask at a line that both runs have")
	}
	*file, *line = filepath.Join(c.to, rel), there
	return nil
}

// MadeLine stands behind the place of a line that only the patched program has.
const MadeLine = "+"

// At is where a "file:line" of the copy is in the original. A line that the patch has
// made has [MadeLine] behind it, and the number of the patched file.
func (c *Changed) At(at string) string {
	file, line := recording.FileLine(at)
	root := c.to
	if whole, err := filepath.EvalSymlinks(root); err == nil && isWithin(file, whole) {
		root = whole
	}
	if line == 0 || !isWithin(file, root) {
		return at
	}
	rel, err := filepath.Rel(root, file)
	if err != nil {
		return at
	}
	old, ok := c.lines[rel].Old(line)
	if !ok {
		return filepath.Join(c.from, rel) + ":" + strconv.Itoa(line) + MadeLine
	}
	return filepath.Join(c.from, rel) + ":" + strconv.Itoa(old)
}
