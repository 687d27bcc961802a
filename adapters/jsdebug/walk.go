package jsdebug

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// notOurs are directories that hold no source of the user's.
var notOurs = []string{"node_modules", ".git", "coverage", ".next", ".nuxt", ".cache", "vendor"}

// walkScripts visits the JavaScript and TypeScript below a directory, until the
// visitor has enough. What cannot be read is passed over.
func walkScripts(dir string, visit func(path string) (goOn bool)) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && e != nil && e.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case e.IsDir() && path != dir && (slices.Contains(notOurs, e.Name()) || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case e.IsDir() || !isScript(path) || strings.HasSuffix(path, ".d.ts") || strings.HasSuffix(path, ".min.js"):
			return nil
		case !visit(path):
			return fs.SkipAll
		}
		return nil
	})
}
