package delve

import (
	"debug/buildinfo"
	"os"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters"
)

// locate finds a path as the user wrote it: absolute, else relative to the
// workspace, else to the server's directory. What exists nowhere is put into
// the workspace.
func locate(r adapters.Request, path string) string {
	path = strings.TrimPrefix(path, "file://")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	inWorkspace := filepath.Join(r.Workspace, path)
	if exists(inWorkspace) {
		return inWorkspace
	}
	if here, err := filepath.Abs(path); err == nil && exists(here) {
		return here
	}
	return inWorkspace
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isGoBinary says whether a file is an executable that Go has linked.
func isGoBinary(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err = buildinfo.ReadFile(path)
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
func moduleRoot(dir string) string { return upwards(dir, "go.mod") }

// workRoot is the nearest directory from dir upwards with a go.work, empty when there is none.
func workRoot(dir string) string { return upwards(dir, "go.work") }

func upwards(dir, name string) string {
	for {
		if exists(filepath.Join(dir, name)) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// inside says whether path is dir or below it.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// show is how a path is told to people: relative to the workspace when inside it.
func show(r adapters.Request, path string) string {
	if r.Workspace == "" {
		return path
	}
	root := r.Workspace
	if !inside(root, path) {
		root = physical(root)
	}
	rel, err := filepath.Rel(root, path)
	switch {
	case err != nil || !inside(root, path):
		return path
	case rel == ".":
		return rel
	}
	return "." + string(filepath.Separator) + rel
}
