package delve

import (
	"os"
	"strings"

	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/prepare"
)

// isGoBinary says whether a file is an executable that Go has linked.
func isGoBinary(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err = serve.BuildInfo(path)
	return err == nil
}

// hasGoFiles says whether there are Go files in the directory itself.
func hasGoFiles(dir string) bool {
	entries, _ := os.ReadDir(dir) // no directory has none
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".go") {
			return true
		}
	}
	return false
}

// moduleRoot is the nearest directory from dir upwards with a go.mod, empty when there is none.
func moduleRoot(dir string) string { return prepare.Upwards(dir, "go.mod") }

// workRoot is the nearest directory from dir upwards with a go.work, empty when there is none.
func workRoot(dir string) string { return prepare.Upwards(dir, "go.work") }
