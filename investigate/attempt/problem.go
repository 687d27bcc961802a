package attempt

import (
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/internal/attempts"
	"aidb-mcp/internal/pattern"
)

// ProblemID names a check of a workspace in the memory: the start in one form.
func ProblemID(workspace, start string) string { return attempts.ID(identity(workspace), start) }

var remote = pattern.New(`(?m)^\s*url\s*=\s*(\S+)\s*$`)

// identity names a workspace on every machine that has it: by where its repository comes
// from and its place in that, else by its path here.
func identity(workspace string) string {
	for dir, rest := workspace, "."; ; {
		text, err := os.ReadFile(filepath.Join(dir, ".git", "config"))
		if m := remote.FindStringSubmatch(string(text)); err == nil && m != nil {
			url := m[1]
			if at := strings.LastIndexByte(url, '@'); at >= 0 { // a name, or a token
				url = url[at+1:]
			}
			return strings.TrimSuffix(url, ".git") + " " + filepath.ToSlash(rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return workspace
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}
