package workspace

import (
	"path"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	rustMain = pattern.New(`(?m)^(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`)
	rustTest = pattern.New(`(?m)^[ \t]*#\[(?:\w+::)*test(?:\([^\]]*\))?\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)`)
	rustDoc  = pattern.New(`^(?://![^\n]*\n?)+`)
)

// rust looks for the binaries of crates, for single files with a main function,
// and for tests.
func (s *scan) rust(dir directory) {
	for _, name := range dir.files(".rs") {
		if name == "build.rs" {
			continue
		}
		rel := join(dir.rel, name)
		text := s.read(rel)
		if line := lineOf(rustMain, text); line > 0 {
			doc := strings.ReplaceAll(rustDoc.FindString(text), "//!", "")
			s.program(Program{Language: "rust", Path: path.Dir(rel), Target: rel, File: rel, Line: line, Doc: sentence(doc)})
		}
		s.suite(Suite{Language: "rust", Framework: "cargo test", Path: dir.rel, Target: rel}, submatches(rustTest, text))
	}
}
