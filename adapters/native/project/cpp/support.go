// Package cpp says what projects of C and C++ are: their files, programs and tests.
package cpp

import (
	"cmp"
	"path"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of C and C++.
var Support = workspace.Support{
	Name: "cpp",
	Sources: map[string]string{
		".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp",
	},
	Builds: map[string]workspace.Build{
		"CMakeLists.txt": {Kind: "CMake", Language: "cpp"}, "configure.ac": {Kind: "GNU build system", Language: "cpp"},
		"meson.build": {Kind: "Meson", Language: "cpp"},
	},
	Made:       []string{"CMakeCache.txt", "meson-private"},
	DebugPorts: []int{1234},
	DebugWords: pattern.New(`\b(?:gdbserver|lldb-server)\b\D*?:(\d+)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look, natives: nativeFiles{
			cmake: map[string]*buildFile{}, meson: map[string]*buildFile{}, make: map[string]*makefile{}, others: map[string]bool{},
			named: map[nameIn]string{}, frameworks: map[string]string{},
		}}
		return workspace.Detector{File: s.source, IsMade: s.isBuild, Look: s.native, Finish: s.natively, LastRuns: s.nativeRuns, Count: s.count}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	natives    nativeFiles
	sourcesOfC int // of the files of C: the rest are headers
}

func (s *scan) source(name string) {
	if strings.HasSuffix(name, ".c") {
		s.sourcesOfC++
	}
}

// count takes headers for C++'s where most sources are.
func (s *scan) count(files map[string]int) {
	if files["cpp"] > s.sourcesOfC {
		files["cpp"] += files["c"] - s.sourcesOfC
		files["c"] = s.sourcesOfC
	}
}

// isBuild says that a directory is one of CMake's or Meson's, made of sources.
func (s *scan) isBuild(dir workspace.Directory) bool {
	return dir.Has("CMakeCache.txt") || s.Exists(dir.Rel+"/meson-private/coredata.dat")
}

// measures are names of programs that measure others, or try them with random input.
var measures = pattern.New(`(?i)(?:^|[_./-])(?:bench(?:mark)?s?|fuzz(?:er)?)(?:[_./-]|$)`)

// addProgram adds a program: after the others those that measure others or are tests.
func (s *scan) addProgram(p workspace.Program) {
	if measures.MatchString(cmp.Or(p.Module, p.Target)) {
		p.Later += 4
	}
	if testy.MatchString(p.Module) || testy.MatchString(strings.TrimSuffix(p.File, path.Ext(p.File))) {
		p.Later += 8
	}
	s.AddProgram(p)
}
