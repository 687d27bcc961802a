package native

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
)

//go:embed scripts/*.py
var scripts embed.FS

// lldbScripts are imported into LLDB, in this order.
func lldbScripts(lang build.Language) []string {
	if lang == build.Rust {
		return []string{"aidb_ask.py", "aidb_functions.py", "aidb_rust.py"}
	}
	return []string{"aidb_lldb.py", "aidb_ask.py", "aidb_functions.py"}
}

// bytecodeScripts have LLDB keep what its Python compiles of its own: those of the
// CodeLLDB in our store, whose folder is ours to write to.
func (s *start) bytecodeScripts() []string {
	if s.debugger.kind == codeLLDB && prepare.Inside(s.adapter.Store.Dir("codelldb"), s.debugger.library) {
		return []string{"aidb_bytecode.py"}
	}
	return nil
}

// unpackScripts writes our scripts for the debuggers into the session's
// directory.
func (s *start) unpackScripts() error {
	from, err := fs.Sub(scripts, "scripts")
	if err == nil {
		err = os.CopyFS(s.scripts, from)
	}
	if err != nil {
		return fmt.Errorf("writing the debugger's scripts: %w", err)
	}
	return nil
}

// scriptPath is where one of them lies.
func (s *start) scriptPath(name string) string { return filepath.Join(s.scripts, name) }
