package native

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/kept"
)

//go:embed scripts/*.py
var scripts embed.FS

// lldbScripts are imported into LLDB, in this order.
func lldbScripts(lang build.Language) []string {
	if lang == build.Rust {
		return []string{keeper, "aidb_ask.py", "aidb_functions.py", "aidb_rust.py"}
	}
	return []string{keeper, "aidb_lldb.py", "aidb_ask.py", "aidb_functions.py"}
}

// bytecodeScripts have LLDB keep what its Python compiles of its own: those of the
// CodeLLDB in our store, whose folder is ours to write to.
func (s *start) bytecodeScripts() []string {
	if s.debugger.kind == codeLLDB && prepare.Inside(s.adapter.Store.Dir("codelldb"), s.debugger.library) {
		return []string{"aidb_bytecode.py"}
	}
	return nil
}

// keeper is the script that comes first: it has the debugger's Python keep what it
// compiles of the others.
const keeper = "aidb_keep.py"

// scriptLibrary is where our scripts for the debugger stay from one session to the next,
// with what Python made of them; the session's directory where they cannot.
func (a *adapter) scriptLibrary(session string) string {
	from, err := fs.Sub(scripts, "scripts")
	if err == nil {
		err = a.Store.Homeless()
	}
	var dir string
	if err == nil {
		dir, err = kept.Lay(a.Store.Path("cache", "native"), from)
	}
	if err != nil {
		a.Log.Debug("our scripts are compiled anew", "error", err)
		return session
	}
	return dir
}

// unpackScripts writes our scripts into the session's directory where they stay nowhere.
func (s *start) unpackScripts() error {
	if s.library != s.scripts {
		return nil
	}
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
func (s *start) scriptPath(name string) string { return filepath.Join(s.library, name) }
