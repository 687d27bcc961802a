package java

import (
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// classSources finds the user's own sources of classes.
type classSources struct {
	roots []string
	known map[string]string // by the path below a root; empty: none of the user's
}

func newClassSources(roots []string) classSources { return classSources{roots, map[string]string{}} }

// file is the source of a class, by the name that its class file has for it; empty where it is
// none of the user's.
func (s classSources) file(class, name string) string {
	if name == "" {
		return ""
	}
	folder := ""
	if at := strings.LastIndexByte(class, '.'); at >= 0 {
		folder = strings.ReplaceAll(class[:at], ".", string(filepath.Separator))
	}
	below := filepath.Join(folder, name)
	file, known := s.known[below]
	for i := 0; i < len(s.roots) && !known; i++ {
		if file = filepath.Join(s.roots[i], below); prepare.Exists(file) {
			break
		}
		file = ""
	}
	s.known[below] = file
	return file
}

// outerFile is the source of a class whose class file is not at hand: that of the class around it.
func (s classSources) outerFile(class string) string {
	outer, _, _ := strings.Cut(class, "$")
	return s.file(outer, outer[strings.LastIndexByte(outer, '.')+1:]+".java")
}
