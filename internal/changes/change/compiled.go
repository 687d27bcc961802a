package change

import (
	"path"
	"slices"
	"strings"
)

// consumed are the endings of files that programs read as they run.
var consumed = []string{".json", ".yaml", ".yml", ".txt", ".ini", ".cfg", ".conf", ".csv", ".tsv", ".md", ".xml", ".html", ".sql", ".env"}

// Compiled says that something is changed that a program may have been built of: more
// than what programs read as they run.
func (c *Change) Compiled() bool {
	return slices.ContainsFunc(c.Files, func(f File) bool { return !slices.Contains(consumed, strings.ToLower(path.Ext(f.Name))) })
}
