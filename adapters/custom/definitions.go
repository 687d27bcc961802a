package custom

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/source"
)

const (
	maxFiles = 2000
	maxSize  = 2 << 20
	maxLike  = 3
)

// finder is the dialect of a table that says how functions are defined.
type finder struct{ *dialect }

// Definitions finds functions by the table's pattern in the files with its extensions.
func (d finder) Definitions(ctx context.Context, name string, roots []string) (at []adapters.Place, like []string, err error) {
	wanted := plainName(name)
	seen := map[string]bool{}
	for _, root := range roots {
		left := maxFiles
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil || left <= 0:
				return nil
			case entry.IsDir() && path != root && skipped(entry.Name()):
				return fs.SkipDir
			case entry.IsDir() || seen[path] || !slices.Contains(d.table.Extensions, strings.ToLower(filepath.Ext(path))):
				return nil
			}
			seen[path] = true
			left--
			places, names := d.definitionsIn(path, wanted)
			at = append(at, places...)
			like = append(like, names...)
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(like)
	return at, source.Closest(wanted, slices.Compact(like), maxLike), nil
}

// plainName cuts the qualification off: "Shop::Cart#total" gives "total".
func plainName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	return name[strings.LastIndexAny(name, ".:#")+1:]
}

func skipped(dir string) bool {
	return strings.HasPrefix(dir, ".") || dir == "node_modules" || dir == "vendor"
}

// definitionsIn reads one file: where the wanted function is, and which others there are.
func (d *dialect) definitionsIn(path, wanted string) (at []adapters.Place, names []string) {
	if info, err := os.Stat(path); err != nil || info.Size() > maxSize {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	body := false
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxSize)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if m := d.table.function.FindStringSubmatch(line); m != nil {
			name := plainName(m[d.table.function.SubexpIndex("NAME")])
			names = append(names, name)
			body = name == wanted
			continue
		}
		if body && d.code(line) {
			at = append(at, adapters.Place{File: path, Line: n})
			body = false
		}
	}
	return at, names
}

// code says whether a line holds code.
func (d *dialect) code(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Trim(line, "{}()[]; \t") != "" && (d.table.comment == nil || !d.table.comment.MatchString(line))
}
