package jsdebug

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
)

// wayOfCompiled runs a file as it is. Where it was made from sources that have
// changed since, no line is where its source map says.
func (j job) wayOfCompiled(file string) way {
	w := way{program: file, outFiles: compiledAround(file)}
	if len(w.outFiles) == 0 {
		return w
	}
	stale := j.staleSources(filepath.Dir(file))
	if len(stale) == 0 {
		return w
	}
	verb := "is"
	if len(stale) > 1 {
		verb = "are"
	}
	w.warnings = []string{fmt.Sprintf("%s %s newer than the code compiled from it: lines and values will not agree until it is compiled again (npx tsc) and the program restarted",
		strings.Join(stale[:min(len(stale), 3)], ", "), verb)}
	return w
}

// staleSources lists the sources of the project of a directory that are newer than what
// was compiled from them.
func (j job) staleSources(dir string) (list []string) {
	root := prepare.Upwards(dir, "tsconfig.json")
	if root == "" {
		return nil
	}
	seen := 0
	walkScripts(root, func(source string) bool {
		seen++
		if !isTypeScript(source) {
			return seen < mostFiles
		}
		for _, out := range outputsOf(root, source) {
			if made, err := os.Stat(out); err == nil {
				if written, err := os.Stat(source); err == nil && written.ModTime().After(made.ModTime()) {
					list = append(list, prepare.Show(j.Request, source))
				}
				break
			}
		}
		return seen < mostFiles
	})
	return list
}
