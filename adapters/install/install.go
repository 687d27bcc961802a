// Package install keeps debug adapters that are not part of this binary: it
// fetches them when asked, checks them against the manifest, and says where
// they are.
//
// It knows what an adapter consists of and nothing of how it is spoken to,
// nothing of sessions and nothing of MCP.
package install

import (
	"os"
	"path/filepath"
	"runtime"
)

// Store is the directory that holds the installed adapters, one folder for each
// component below "adapters": adapters/debugpy, adapters/js-debug.
type Store struct {
	Home string // absolute; see Home
}

// Home is where the data of aidb-mcp lies: AIDB_HOME, else aidb-mcp below
// XDG_DATA_HOME (or what the platform has in its place).
func Home() string {
	if home := os.Getenv("AIDB_HOME"); home != "" {
		return absolute(home)
	}
	if data := os.Getenv("XDG_DATA_HOME"); data != "" {
		return filepath.Join(absolute(data), "aidb-mcp")
	}
	user, err := os.UserHomeDir()
	if err != nil {
		user = os.TempDir()
	}
	switch runtime.GOOS {
	case "windows":
		if data := os.Getenv("LOCALAPPDATA"); data != "" {
			return filepath.Join(data, "aidb-mcp")
		}
	case "darwin":
		return filepath.Join(user, "Library", "Application Support", "aidb-mcp")
	}
	return filepath.Join(user, ".local", "share", "aidb-mcp")
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Dir is the folder of an installed component, whether it is there or not.
func (s Store) Dir(component string) string { return filepath.Join(s.Home, "adapters", component) }

// Installed says that a component is there, with its version.
func (s Store) Installed(component string) (version string, ok bool) {
	text, err := os.ReadFile(filepath.Join(s.Dir(component), versionFile))
	if err != nil {
		return "", false
	}
	return string(text), true
}

// versionFile names the installed version; it is written last.
const versionFile = ".version"
