package native

import (
	"embed"
	"os"
	"path/filepath"
)

//go:embed scripts
var scripts embed.FS

const lldbScript = "aidb_lldb.py"

// unpackScripts writes our scripts for the debuggers into a directory of their own.
func unpackScripts() (string, error) {
	dir, err := os.MkdirTemp("", "aidb-native-")
	if err != nil {
		return "", err
	}
	text, err := scripts.ReadFile("scripts/" + lldbScript)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, lldbScript), text, 0o600)
	}
	if err != nil {
		os.RemoveAll(dir)
		return "", err
	}
	return dir, nil
}
