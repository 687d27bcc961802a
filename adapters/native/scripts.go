package native

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"aidb-mcp/adapters/native/build"
)

//go:embed scripts/*.py
var scripts embed.FS

// lldbScripts are imported into LLDB, in this order.
func lldbScripts(lang build.Language) []string {
	if lang == build.Rust {
		return []string{"aidb_ask.py", "aidb_rust.py"}
	}
	return []string{"aidb_lldb.py", "aidb_ask.py"}
}

// unpackScripts writes our scripts for the debuggers into a directory of their
// own, in which these may leave their own files too.
func unpackScripts() (string, error) {
	dir, err := os.MkdirTemp("", "aidb-native-")
	if err != nil {
		return "", err
	}
	from, err := fs.Sub(scripts, "scripts")
	if err == nil {
		err = os.CopyFS(dir, from)
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}

// scriptPath is where one of them lies.
func (s *start) scriptPath(name string) string { return filepath.Join(s.scripts, name) }
