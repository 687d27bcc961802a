// Package project says what projects of Go are: their files, programs and tests.
package project

import (
	"os"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of Go.
var Support = workspace.Support{
	Name:    "go",
	Sources: map[string]string{".go": "go"},
	Builds: map[string]workspace.Build{
		"go.mod":  {Kind: "Go module", Language: "go"},
		"go.work": {Kind: "Go workspace", Language: "go"},
	},
	DebugPorts: []int{2345, 40000},
	DebugWords: pattern.New(`\bdlv\b.*?(?:--listen|-l)[ =]\S*?:(\d+)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{look}
		return workspace.Detector{BuildName: s.moduleName, Skips: s.ofCache, Look: s.golang}
	},
}

// scan is one look at a workspace.
type scan struct{ *workspace.Look }

// moduleName is what a go.mod names.
func (s *scan) moduleName(rel, name string) string {
	if name != "go.mod" {
		return ""
	}
	return modulePath(s.Abs(rel))
}

// fetched is how Go names the directories of modules that it has fetched.
var fetched = pattern.New(`@v\d[^/]*$`)

// ofCache says that a directory is where Go keeps modules that it has fetched, or one of those.
func (s *scan) ofCache(rel string) bool {
	if fetched.MatchString(rel) {
		return true
	}
	if !strings.HasSuffix("/"+rel, "/pkg/mod") {
		return false
	}
	info, err := os.Stat(s.Abs(rel + "/cache/download"))
	return err == nil && info.IsDir()
}
