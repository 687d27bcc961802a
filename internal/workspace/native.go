package workspace

import (
	"path"
	"slices"

	"aidb-mcp/internal/pattern"
)

var (
	cMain       = pattern.New(`(?m)^[ \t]*(?:int|auto|void)\s+main\s*\(`)
	cTests      = pattern.New(`(?m)^[ \t]*TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)`)
	cmakeTarget = pattern.New(`(?mi)^[ \t]*add_executable\s*\(\s*([\w.-]+)`)
	cSources    = []string{".c", ".cc", ".cpp", ".cxx"}
)

// native looks for what CMake or make builds, for single files with a main
// function, and for GoogleTest's tests.
func (s *scan) native(dir directory) {
	cmake := s.cmake(dir)
	makes := cmake == "" && slices.ContainsFunc([]string{"Makefile", "makefile", "GNUmakefile"}, dir.has)
	for _, name := range dir.files(cSources...) {
		rel := join(dir.rel, name)
		text := s.read(rel)
		builder := rel // a file that nothing builds is compiled alone
		switch {
		case cmake != "":
			builder = cmake
		case makes:
			builder = dir.rel
		}
		s.googleTests(dir, rel, builder, text)
		if line := lineOf(cMain, text); line > 0 && cmake == "" {
			s.program(Program{Language: "cpp", Path: dir.rel, Target: builder, File: rel, Line: line})
		}
	}
}

// cmake is the directory of the CMake project that a directory belongs to, the
// uppermost, empty when there is none. The programs of its CMakeLists.txt are noted.
func (s *scan) cmake(dir directory) string {
	top := ""
	for at := dir.rel; ; at = path.Dir(at) {
		if s.cmakes[at] {
			top = at
		}
		if at == "." {
			break
		}
	}
	if !dir.has("CMakeLists.txt") {
		return top
	}
	if top == "" {
		top = dir.rel
		s.cmakes[top] = true
	}
	file := join(dir.rel, "CMakeLists.txt")
	text := s.read(file)
	for _, name := range submatches(cmakeTarget, text) {
		s.program(Program{Language: "cpp", Path: dir.rel, Target: top, Module: name, File: file, Line: 1})
	}
	return top
}

func (s *scan) googleTests(dir directory, rel, builder, text string) {
	var names []string
	for _, m := range cTests.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1]+"."+m[2])
	}
	s.suite(Suite{Language: "cpp", Framework: "GoogleTest", Path: dir.rel, Target: builder, Changed: s.changed(rel)}, names)
}
