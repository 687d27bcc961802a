package source

import (
	"io/fs"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/fault"
)

// Bounds of the walk that looks for a file by the end of its path.
const (
	byEndEntries = 20_000
	byEndShown   = 5
)

// ByEnd finds the one file below a directory whose path ends in the given one
// ("Shop.java", "shop/Shop.java"). None is not an error; several are, and so it
// is to have found one where not all could be looked at.
func ByEnd(root, path string) (string, error) {
	if root == "" || filepath.IsAbs(path) || !filepath.IsLocal(path) {
		return "", nil
	}
	files, all := FilesBelow(root)
	found := EndingIn(files, path)
	switch {
	case len(found) == 0 || !all && len(found) == 1:
		return "", nil
	case len(found) == 1:
		return filepath.EvalSymlinks(found[0])
	}
	for i, p := range found {
		found[i] = Rel(root, p)
	}
	shown := found[:min(len(found), byEndShown)]
	return "", fault.New(fault.InvalidLocation, "%d files are called %s", len(found), path).
		WithHint("say which: %s", strings.Join(shown, ", ")).WithDetails(map[string][]string{"similar": shown})
}

// EndingIn are those of some files whose paths end in the given one.
func EndingIn(files []string, path string) (found []string) {
	end := string(filepath.Separator) + filepath.Clean(path)
	for _, file := range files {
		if strings.HasSuffix(file, end) {
			found = append(found, file)
		}
	}
	return found
}

// FilesBelow are the files below a directory that may be of a project; all says that
// there are no more than were looked at.
func FilesBelow(root string) (files []string, all bool) {
	left := byEndEntries
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		left--
		switch {
		case left < 0:
			return fs.SkipAll
		case err != nil:
			return nil // what cannot be read holds no file of ours
		case d.IsDir() && p != root && Skipped(d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, p)
		}
		return nil
	})
	return files, left >= 0
}
