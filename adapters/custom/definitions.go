package custom

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/system/boundedfile"
)

const (
	maxFiles = 2000
	maxSize  = 2 << 20
	maxLike  = 3
)

// Definitions finds functions by the table's pattern in the files with its extensions.
func (d *dialect) Definitions(ctx context.Context, name string, roots []string) (at []adapters.Place, like []string, err error) {
	class, wanted := splitQualified(name)
	seen := map[string]bool{}
	for _, root := range roots {
		left := maxFiles
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil || left <= 0:
				return nil
			case entry.IsDir() && path != root && isSkipped(entry.Name()):
				return fs.SkipDir
			case entry.IsDir() || seen[path] || !slices.Contains(d.table.Extensions, strings.ToLower(filepath.Ext(path))):
				return nil
			}
			seen[path] = true
			left--
			places, names := d.definitionsIn(path, class, wanted)
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

// splitQualified tells a function from what it belongs to: "Shop::Cart#total" is total of Cart.
func splitQualified(name string) (class, function string) {
	name, _, _ = strings.Cut(name, "(")
	last := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#", r) })
	switch n := len(last); n {
	case 0:
		return "", name
	case 1:
		return "", last[0]
	default:
		return last[n-2], last[n-1]
	}
}

func isSkipped(dir string) bool {
	return strings.HasPrefix(dir, ".") || dir == "node_modules" || dir == "vendor"
}

// definitionsIn reads one file: where the wanted function of a class (any, when
// that is empty or the table knows none) is, and which others there are.
func (d *dialect) definitionsIn(path, class, wanted string) (at []adapters.Place, names []string) {
	if info, err := os.Stat(path); err != nil || info.Size() > maxSize {
		return nil, nil
	}
	f, err := boundedfile.Open(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	body, inside := false, class == "" || d.table.class == nil
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxSize)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if m := firstMatch(d.table.class, line); m != "" && class != "" {
			inside = m == class
		}
		if name := firstMatch(d.table.function, line); name != "" {
			names = append(names, name)
			body = inside && name == wanted
			continue
		}
		if body && d.hasCode(line) {
			at = append(at, adapters.Place{File: path, Line: n})
			body = false
		}
	}
	return at, names
}

// firstMatch finds what stands for NAME in a line, without what qualifies it.
func firstMatch(pattern *regexp.Regexp, line string) string {
	if pattern == nil {
		return ""
	}
	m := pattern.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	_, name := splitQualified(m[pattern.SubexpIndex("NAME")])
	return name
}

// hasCode says whether a line holds code.
func (d *dialect) hasCode(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Trim(line, "{}()[]; \t") != "" && (d.table.comment == nil || !d.table.comment.MatchString(line))
}
