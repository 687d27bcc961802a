package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/internal/change"
	"aidb-mcp/internal/duplicate"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/patch"
	"aidb-mcp/internal/recording"
)

// Changed is a copy of a workspace with a patch in it, and how to run there what would
// run in the original.
type Changed struct {
	Request StartRequest

	from, to string                 // the workspace and its copy
	lines    map[string]patch.Lines // by path below the workspace
}

// copied bounds a copy of a workspace.
var copied = duplicate.Limits{Files: 100_000, Bytes: 2 << 30}

// Change makes a copy of the request's workspace with the patch. Close removes it.
// Errors are *fault.Error and name the field against.patch.
func (m *Manager) Change(ctx context.Context, r StartRequest, text string) (*Changed, error) {
	if err := m.permits(r.Program); err != nil {
		return nil, err
	}
	c := &Changed{Request: r, from: r.Program.Workspace, lines: map[string]patch.Lines{}}
	if whole, err := filepath.EvalSymlinks(c.from); err == nil {
		c.from = whole
	}
	made, err := change.Patch(c.from, text) // before anything is copied
	if err != nil {
		return nil, unfit(err)
	}
	if c.to, err = m.root.Scratch("copy-"); err == nil {
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
	c.move()
	c.Request.changed = c
	return c, nil
}

// Close removes the copy.
func (c *Changed) Close() {
	if c.to != "" {
		_ = os.RemoveAll(c.to)
	}
}

func unfit(err error) error {
	return fault.New(fault.InvalidParam, "the patch cannot be applied: %w", err).WithField("against.patch").
		WithHint(`for example "--- a/calc.py\n+++ b/calc.py\n@@ -3,1 +3,1 @@\n-    n = 0\n+    n = 1\n"; paths are below the workspace`)
}

func (c *Changed) apply(made *change.Change) error {
	if err := made.Apply(c.to); err != nil {
		return unfit(err)
	}
	for _, f := range made.Files {
		c.lines[filepath.FromSlash(f.Name)] = f.Lines
	}
	return nil
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// move has the request mean the copy.
func (c *Changed) move() {
	c.Request = Relocated(c.Request, c.to, c.Request.Program.Workspace, c.from)
}

// Relocated is a request whose places below one of the roots are those below another
// directory, which is a copy of them.
func Relocated(r StartRequest, to string, roots ...string) StartRequest {
	r.Before = nil // it would work on the original
	p := &r.Program
	for _, path := range []*string{&p.Workspace, &p.Target, &p.Test, &p.Cwd, &p.EnvFile, &p.RuntimePath} {
		*path = relocated(*path, to, roots)
	}
	for _, list := range []*[]string{&p.Args, &p.BuildArgs} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i] = relocated((*list)[i], to, roots)
		}
	}
	env := map[string]string{}
	for name, value := range p.Env {
		parts := filepath.SplitList(value)
		for i := range parts {
			parts[i] = relocated(parts[i], to, roots)
		}
		env[name] = strings.Join(parts, string(filepath.ListSeparator))
	}
	if p.Env != nil {
		p.Env = env
	}
	return r
}

func relocated(path, to string, roots []string) string {
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(path, root); ok && root != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
			return to + rest
		}
	}
	return path
}

// Wish is a wish of places in the original, for the copy.
func (c *Changed) Wish(w recording.Wish) (recording.Wish, error) {
	w.Values = slices.Clone(w.Values)
	for i := range w.Values {
		v := &w.Values[i]
		if err := c.place(&v.File, &v.Line); err != nil {
			return w, err
		}
	}
	if w.Writes != nil && w.Writes.File != "" {
		writes := *w.Writes
		w.Writes = &writes
		return w, c.place(&writes.File, &writes.Line)
	}
	return w, nil
}

func (c *Changed) place(file *string, line *int) error {
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
	file, line := place(at)
	root := c.to
	if whole, err := filepath.EvalSymlinks(root); err == nil && within(file, whole) {
		root = whole
	}
	if line == 0 || !within(file, root) {
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
