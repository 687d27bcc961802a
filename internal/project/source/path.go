package source

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/fault"
)

// Bounds of the walk that looks for files like a missing one.
const (
	nearbyEntries = 5000
	nearbyDepth   = 6
	nearbyShown   = 3
)

// Skipped reports whether a directory is never looked into for the user's own
// files: version control, dependencies, build output.
func Skipped(name string) bool {
	switch name {
	case "node_modules", "vendor", "venv", "target", "dist", "__pycache__":
		return true
	}
	return len(name) > 1 && name[0] == '.' && name != ".."
}

// Canonical finds the one name of an existing file or directory: absolute,
// clean, without symbolic links. A relative path is tried against each root in
// turn, or against the working directory when there is none. The error for a
// missing file has fault.InvalidLocation, wraps fs.ErrNotExist and names
// similar files nearby.
func Canonical(path string, roots ...string) (string, error) {
	if strings.TrimSpace(path) == "" {
		return "", fault.New(fault.InvalidLocation, "the path is empty")
	}
	tries, err := absolute(path, roots)
	if err != nil {
		return "", err
	}
	for _, try := range tries {
		real, err := filepath.EvalSymlinks(try)
		switch {
		case err == nil:
			return real, nil
		case !isMissing(err):
			return "", fault.New(fault.InvalidLocation, "cannot resolve %s: %w", try, err)
		}
	}
	return "", missingFile(path, tries, roots)
}

// isMissing also counts a path through something that is no directory.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "not a directory")
}

func absolute(path string, roots []string) ([]string, error) {
	if filepath.IsAbs(path) {
		return []string{filepath.Clean(path)}, nil
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	tries := make([]string, 0, len(roots))
	for _, root := range roots {
		abs, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			return nil, fault.New(fault.InvalidLocation, "cannot make %s absolute: %w", path, err)
		}
		if !slices.Contains(tries, abs) {
			tries = append(tries, abs)
		}
	}
	return tries, nil
}

func missingFile(path string, tries, roots []string) error {
	f := fault.New(fault.InvalidLocation, "there is no file %s: %w", path, fs.ErrNotExist)
	f.Message = "there is no file " + path
	if !filepath.IsAbs(path) {
		f.Message += " (looked for " + strings.Join(tries, ", ") + ")"
	}
	found := nearby(tries, roots)
	if len(found) == 0 {
		return f.WithHint("give the path relative to the workspace or absolute")
	}
	return f.WithHint("did you mean %s?", strings.Join(found, " or ")).WithDetails(map[string][]string{"similar": found})
}

// nearby lists existing files whose names are like those tried, shown relative
// to the first root that holds them. The walk is bounded.
func nearby(tries, roots []string) []string {
	w := walk{want: filepath.Base(tries[0]), left: nearbyEntries}
	for _, start := range append(existingParents(tries), roots...) {
		w.visit(start, 0)
	}
	slices.SortStableFunc(w.found, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.path), len(b.path)))
	})
	var shown []string
	for _, c := range w.found {
		name := c.path
		for _, root := range roots {
			name = Rel(root, name)
		}
		if !slices.Contains(shown, name) && len(shown) < nearbyShown {
			shown = append(shown, name)
		}
	}
	return shown
}

// existingParents gives the nearest existing parent directory of each path, but no
// file system root: what lies there is not nearby.
func existingParents(paths []string) []string {
	var dirs []string
	for _, p := range paths {
		dir := filepath.Dir(p)
		for {
			info, err := os.Stat(dir)
			if err == nil && info.IsDir() || dir == filepath.Dir(dir) {
				break
			}
			dir = filepath.Dir(dir)
		}
		if dir != filepath.Dir(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

type likeness struct {
	path     string
	distance int
}

// walk collects files with names like want; left counts the entries it may still look at.
type walk struct {
	want  string
	left  int
	found []likeness
}

func (w *walk) visit(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var below []string
	for _, e := range entries {
		if w.left--; w.left < 0 {
			return
		}
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && depth < nearbyDepth && !Skipped(e.Name()):
			below = append(below, path)
		case !e.IsDir():
			w.compare(path, e.Name())
		}
	}
	for _, path := range below {
		w.visit(path, depth+1)
	}
}

func (w *walk) compare(path, name string) {
	stem := func(s string) string { return strings.TrimSuffix(s, filepath.Ext(s)) }
	if strings.EqualFold(name, w.want) {
		w.found = append(w.found, likeness{path, 0})
		return
	}
	if !strings.EqualFold(filepath.Ext(name), filepath.Ext(w.want)) {
		return
	}
	if d, ok := distance(fold(stem(w.want)), fold(stem(name))); ok {
		w.found = append(w.found, likeness{path, d + 1})
	}
}

// Below is the part of a path below a folder, "" for the folder itself. Only whole
// names count: /application is not below /app. Neither is looked up on disk.
func Below(path, folder string) (rest string, ok bool) {
	folder = strings.TrimRight(folder, `/\`)
	rest, ok = strings.CutPrefix(path, folder)
	if !ok || folder == "" || rest != "" && rest[0] != '/' && rest[0] != '\\' {
		return "", false
	}
	return strings.TrimLeft(rest, `/\`), true
}

// Rel shows a path the short way: relative to root with forward slashes when it
// lies inside, else as it is.
func Rel(root, path string) string {
	if root == "" || !filepath.IsAbs(path) {
		return path
	}
	if rel, ok := inside(root, path); ok {
		return rel
	}
	if real, err := filepath.EvalSymlinks(root); err == nil && real != root {
		if rel, ok := inside(real, path); ok {
			return rel
		}
	}
	return path
}

func inside(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
