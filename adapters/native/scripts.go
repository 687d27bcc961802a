package native

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"aidb-mcp/adapters/native/binary"
	"aidb-mcp/adapters/native/build"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/kept"
)

//go:embed scripts/aidb/*.py scripts/aidb/*/*.py scripts/aidb/*/*/*.py
var scripts embed.FS

// lldbImports are the commands that let LLDB's Python import our package. Module keep comes
// first: it has what Python compiles of the others kept.
func (s *start) lldbImports() []string {
	list := []string{"command script import " + lldbQuote(s.packagePath()), "script import aidb.keep"}
	if code := s.ownCode(); code != "" {
		list = append(list, "script "+code)
	}
	return list
}

// ownCode is Python that tells our scripts where the user's own code lies, where the sources of
// libraries lie there, too: in a crate of cargo's registry, in a container's /usr/src. Empty elsewhere.
func (s *start) ownCode() string {
	folder := s.Workspace + string(filepath.Separator)
	if s.Workspace == "" || !binary.System(folder) && !rustLibrary.MatchString(folder) {
		return ""
	}
	return fmt.Sprintf("import aidb.names; aidb.names.FOLDERS.append(%q)", folder)
}

// lldbSession is the command that begins a session with our scripts.
func (s *start) lldbSession() string {
	var wanted []string
	for _, w := range []struct {
		name     string
		isWanted bool
	}{{"bytecode", s.keepsBytecode()}, {"launched", s.isLaunched()}, {"relay", s.isRelayed()}} {
		if w.isWanted {
			wanted = append(wanted, strconv.Quote(w.name))
		}
	}
	return fmt.Sprintf("script import aidb.debugger.lldb.session; aidb.debugger.lldb.session.begin(lldb.debugger, %q, [%s], %s)",
		s.language(), strings.Join(wanted, ", "), s.guardArguments())
}

// gdbImport is the line of Python that lets gdb import our package.
func (s *start) gdbImport() string {
	line := fmt.Sprintf("python import sys; sys.path.insert(0, %q); import aidb.keep", s.library)
	if code := s.ownCode(); code != "" {
		line += "; " + code
	}
	return line
}

// keepsBytecode says that LLDB is to keep what its Python compiles of its own: the
// CodeLLDB in our store does, whose folder is ours to write to.
func (s *start) keepsBytecode() bool {
	return s.debugger.kind == codeLLDB && prepare.Inside(s.adapter.Store.Dir("codelldb"), s.debugger.library)
}

// language is what our scripts call it.
func (s *start) language() string {
	if s.lang == build.Rust {
		return "rust"
	}
	return "cpp"
}

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

// packagePath is where the package of our scripts lies.
func (s *start) packagePath() string { return filepath.Join(s.library, "aidb") }
