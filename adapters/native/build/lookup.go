package build

import (
	"os/exec"
	"path/filepath"
)

// lookIn finds an executable in the directories of a PATH variable, which need
// not be our own: the request may set another.
func lookIn(path, name string) (string, bool) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, true
		}
	}
	return "", false
}
