package ruby

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/ruby/rubysrc"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	maxSources = 5000
	maxSource  = 2 << 20 // bytes of a file that is read
	maxLike    = 3
)

// Definitions finds methods by their names, which may have their class before them:
// "total", "Cart#total", "Shop::Cart.open". Cart.new is Cart#initialize.
func (*dialect) Definitions(ctx context.Context, name string, roots []string) (at []adapters.Place, like []string, err error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if class, isNew := strings.CutSuffix(name, ".new"); isNew {
		name = class + "#initialize"
	}
	var names []string
	err = eachSource(ctx, roots, func(file string, text []byte) {
		for _, def := range rubysrc.Methods(string(text)) {
			names = append(names, def.Full())
			if def.IsNamed(name) {
				at = append(at, adapters.Place{File: file, Line: def.Body})
			}
		}
	})
	if len(at) > 0 || err != nil {
		return at, nil, err
	}
	slices.Sort(names)
	names = slices.Compact(names)
	like = source.Closest(name, names, maxLike)
	last := name[strings.LastIndexAny(name, ".#:")+1:]
	for _, full := range names { // the same method of another class
		if len(like) < maxLike && strings.HasSuffix(full, last) && !slices.Contains(like, full) {
			like = append(like, full)
		}
	}
	return nil, like, nil
}

// eachSource reads the Ruby files below the roots.
func eachSource(ctx context.Context, roots []string, visit func(file string, text []byte)) error {
	seen := map[string]bool{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case len(seen) >= maxSources:
				return fs.SkipAll
			case err != nil: // what cannot be read is passed over
				if entry != nil && entry.IsDir() {
					return fs.SkipDir
				}
			case entry.IsDir():
				if path != root && isForeignDir(entry.Name()) {
					return fs.SkipDir
				}
			case isSource(entry.Name()) && entry.Type().IsRegular() && !seen[path]:
				seen[path] = true
				if info, err := os.Stat(path); err != nil || info.Size() > maxSource {
					return nil
				}
				if text, err := boundedfile.ReadText(path); err == nil {
					visit(path, text)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func isSource(name string) bool {
	return slices.Contains([]string{".rb", ".rake", ".ru", ".gemspec"}, filepath.Ext(name)) || name == "Rakefile"
}

// isForeignDir says that a directory does not hold the user's source.
func isForeignDir(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" || name == "tmp" || name == "log"
}
