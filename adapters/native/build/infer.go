package build

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
)

// cExtensions and cppExtensions are of files that are compiled, not of headers.
var (
	cExtensions   = []string{".c"}
	cppExtensions = []string{".cc", ".cpp", ".cxx", ".c++", ".C"}
)

func isC(path string) bool   { return slices.Contains(cExtensions, filepath.Ext(path)) }
func isCPP(path string) bool { return slices.Contains(cppExtensions, filepath.Ext(path)) }

func isAnySource(path string) bool { return isC(path) || isCPP(path) || filepath.Ext(path) == ".rs" }

// isSource says whether a path looks like source of the language.
func isSource(path string, lang Language) bool {
	if lang == Rust {
		return filepath.Ext(path) == ".rs"
	}
	return isC(path) || isCPP(path)
}

// projectFiles name what a directory is built by, in the order of preference.
func projectFiles(lang Language) []string {
	if lang == Rust {
		return []string{"Cargo.toml"}
	}
	return []string{"CMakeLists.txt", "meson.build", "GNUmakefile", "makefile", "Makefile"}
}

// outerFiles are those that say of all files below how they are built.
func outerFiles(lang Language) []string {
	if lang == Rust {
		return []string{"Cargo.toml"}
	}
	return []string{"CMakeLists.txt", "meson.build"}
}

// Infer is the mode of a request that names none; it is never empty.
func Infer(r adapters.Request, lang Language) adapters.Mode {
	switch {
	case r.Mode != "":
		return r.Mode
	case r.CoreFile != "":
		return adapters.Core
	case r.PID != 0:
		return adapters.Attach
	case r.Host != "" || r.Port != 0:
		return adapters.RemoteAttach
	case r.Test != "":
		return adapters.Test
	case r.Target == "" || isSource(r.Target, lang):
		return adapters.Launch
	}
	if path := prepare.Locate(r, r.Target); prepare.IsFile(path) && isProgram(path) && (lang != CPP || !isMadeHere(path)) {
		return adapters.Exec
	}
	return adapters.Launch
}

// Claims says how surely the request is this language's, as adapters.Adapter
// has it: certain of its source files, sure of its projects. Of binaries it
// knows Rust's from the others.
func Claims(r adapters.Request, lang Language) int {
	switch {
	case r.PID != 0:
		return claimBinary("/proc/"+itoa(r.PID)+"/exe", lang, 60)
	case r.Host != "" || r.Port != 0:
		return claimPort(r, lang)
	case r.Target == "":
		return claimDirectory(r.Workspace, lang, 45)
	}
	path := prepare.Locate(r, r.Target)
	switch {
	case isSource(path, lang):
		if prepare.Exists(path) {
			return 100
		}
		return 90
	case slices.Contains(projectFiles(lang), filepath.Base(path)):
		return 95
	case prepare.IsDir(path):
		return claimDirectory(path, lang, 70)
	case prepare.Exists(path):
		return claimBinary(path, lang, 80)
	}
	// It may be the name of a target.
	if !strings.ContainsRune(r.Target, '.') {
		return claimDirectory(r.Workspace, lang, 35)
	}
	return 0
}

// claimPort is certain of a debug server that listens on this machine; the
// binary, or else the workspace, tells the languages apart.
func claimPort(r adapters.Request, lang Language) int {
	binary := claimBinary(prepare.Locate(r, r.Target), lang, 60)
	switch {
	case r.Debuggee.Protocol != "":
		return 0
	case !r.Debuggee.Runs("gdbserver", "lldb-server", "debugserver"):
		return max(binary, min(30, claimDirectory(r.Workspace, lang, 30)))
	}
	return max(80, binary+40, min(90, claimDirectory(r.Workspace, lang, 60)+30))
}

// claimDirectory is for a directory with a project, or inside of one.
func claimDirectory(dir string, lang Language, claim int) int {
	if dir == "" {
		return 0
	}
	for _, name := range projectFiles(lang) {
		if prepare.Exists(filepath.Join(dir, name)) {
			return claim - boolInt(strings.EqualFold(name, "makefile"))*10 // many things have one
		}
	}
	for _, name := range prepare.Names(dir) {
		if isSource(name, lang) {
			return claim - 5
		}
	}
	if prepare.Upwards(dir, outerFiles(lang)...) != "" {
		return claim / 3
	}
	return 0
}

// claimBinary knows Rust's programs by the name of the compiler in them.
func claimBinary(path string, lang Language, claim int) int {
	if !prepare.IsFile(path) || !isProgram(path) {
		return 0
	}
	if isMadeByRust(path) != (lang == Rust) {
		return claim / 4
	}
	return claim
}

// isProgram knows executables of all systems by their first bytes.
func isProgram(path string) bool {
	f, err := boundedfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil {
		return false
	}
	for _, known := range []string{"\x7fELF", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xbe\xba\xfe\xca", "MZ"} {
		if bytes.HasPrefix(magic[:], []byte(known)) {
			return true
		}
	}
	return false
}
