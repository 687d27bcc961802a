package debugpy

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/debugpy/project/pysrc"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	maxSources = 5000
	maxSource  = 2 << 20 // bytes of a file that is read
)

// definition is a function found in the source.
type definition struct {
	module string // dotted, from the root that it was found below
	def    *pysrc.Def
}

// fullName is the name from the root: "shop.pricing.Cart.total".
func (d definition) fullName() string { return d.module + "." + d.def.Path }

// isNamed says that what the user wrote may mean this one.
func (d definition) isNamed(name string) bool {
	full := d.fullName()
	return full == name || strings.HasSuffix(full, "."+name)
}

// Definitions finds functions by their name, which may have their class and
// module before it; a class stands for its __init__.
func (d *dialect) Definitions(ctx context.Context, name string, roots []string) (at []adapters.Place, like []string, err error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	last := name[strings.LastIndexByte(name, '.')+1:]
	var names []string
	var classes []adapters.Place
	err = eachSource(ctx, roots, func(root, file string, text []byte) {
		mentions := bytes.Contains(text, []byte(last))
		for _, def := range pysrc.Scan(string(text)) {
			found := definition{module: moduleOf(root, file), def: def}
			if !def.Class {
				names = append(names, def.Path)
			}
			place := adapters.Place{File: file, Line: def.Body}
			switch {
			case !mentions:
			case !def.Class && found.isNamed(name):
				at = append(at, place)
			case !def.Class && def.Name == "__init__" && def.Parent != nil && (definition{found.module, def.Parent}).isNamed(name):
				classes = append(classes, place)
			}
		}
	})
	if len(at) == 0 {
		at = classes
	}
	if len(at) == 0 && err == nil {
		if file := d.libraryModule(name); file != "" && !slices.Contains(roots, file) {
			return d.Definitions(ctx, name, []string{file})
		}
	}
	if len(at) > 0 {
		return at, nil, nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	like = source.Closest(name, names, 3)
	if len(like) == 0 {
		for _, n := range names { // the same function in another class
			if strings.HasSuffix(n, "."+last) && len(like) < 3 {
				like = append(like, n)
			}
		}
	}
	return nil, like, err
}

// libraryModule is the file of the module that a dotted name of something in it
// begins with, as the interpreter finds modules; empty when there is none.
func (d *dialect) libraryModule(name string) string {
	for at := strings.LastIndexByte(name, '.'); at > 0; at = strings.LastIndexByte(name[:at], '.') {
		module := filepath.FromSlash(strings.ReplaceAll(name[:at], ".", "/"))
		for _, dir := range d.searched {
			for _, file := range []string{filepath.Join(dir, module+".py"), filepath.Join(dir, module, "__init__.py")} {
				if prepare.Exists(file) {
					return prepare.Physical(file)
				}
			}
		}
	}
	return ""
}

// moduleOf is the dotted name that a file has below a root, or by the packages that
// it lies in where it is the root itself.
func moduleOf(root, file string) string {
	if root == file {
		root, _ = packageOf(filepath.Dir(file))
	}
	rel, err := filepath.Rel(root, file)
	if err != nil {
		rel = filepath.Base(file)
	}
	rel = strings.TrimSuffix(filepath.ToSlash(rel), ".py")
	return strings.ReplaceAll(strings.TrimSuffix(rel, "/__init__"), "/", ".")
}

// eachSource reads the Python files below the roots, those nearest to a root first.
func eachSource(ctx context.Context, roots []string, visit func(root, file string, text []byte)) error {
	seen := map[string]bool{}
	for _, root := range roots {
		var files []string
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case len(seen)+len(files) >= maxSources:
				return fs.SkipAll
			case err != nil: // what cannot be read is passed over
				if entry != nil && entry.IsDir() {
					return fs.SkipDir
				}
			case entry.IsDir():
				if path != root && isForeignDir(path, entry.Name()) {
					return fs.SkipDir
				}
			case filepath.Ext(path) == ".py" && entry.Type().IsRegular() && !seen[path]:
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return err
		}
		slices.SortStableFunc(files, func(a, b string) int {
			return cmp.Compare(strings.Count(a, string(filepath.Separator)), strings.Count(b, string(filepath.Separator)))
		})
		for _, file := range files {
			seen[file] = true
			if info, err := os.Stat(file); err != nil || info.Size() > maxSource {
				continue
			}
			if text, err := boundedfile.ReadText(file); err == nil {
				visit(root, file, text)
			}
		}
	}
	return nil
}

// isForeignDir says that a directory does not hold the user's source.
func isForeignDir(path, name string) bool {
	switch name {
	case "__pycache__", "node_modules", "site-packages", "dist-packages", "build", "dist":
		return true
	}
	return strings.HasPrefix(name, ".") || prepare.Exists(filepath.Join(path, "pyvenv.cfg"))
}
