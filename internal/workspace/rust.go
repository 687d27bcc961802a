package workspace

import (
	"path"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	rustMain   = pattern.New(`(?m)^(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`)
	rustTest   = pattern.New(`(?m)^[ \t]*#\[(?:\w+::)*(?:test|rstest|test_case)(?:\([^\]]*\))?\]\s*(?:(?:#\[[^\]]*\]|//[^\n]*)\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)`)
	rustModule = pattern.New(`(?m)^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{`)
	rustDoc    = pattern.New(`^(?://![^\n]*\n?)+`)
	rustServer = pattern.New(`\b(?:TcpListener::bind|axum::serve|Server::bind|HttpServer::new|warp::serve|rocket::build)\b|#\[launch\]`)
)

// rust looks for the programs and examples of packages, for single files with a main
// function, and for tests.
func (s *scan) rust(dir directory) {
	s.cargo(dir)
	for _, name := range []string{"rust-toolchain.toml", "rust-toolchain"} {
		if dir.has(name) {
			s.project.Environments = append(s.project.Environments, Environment{Language: "rust", Path: join(dir.rel, name)})
		}
	}
	crate := s.crate(dir.rel)
	for _, name := range dir.files(".rs") {
		if name == "build.rs" {
			continue
		}
		rel := join(dir.rel, name)
		text := s.read(rel)
		if line := lineOf(rustMain, text); line > 0 {
			s.rustProgram(crate, rel, line, text)
		}
		prefix := ""
		if crate != nil {
			prefix = crate.modulePrefix(rel)
		}
		s.suite(Suite{Language: "rust", Framework: "cargo test", Path: dir.rel, Target: rel}, rustTests(text, prefix))
	}
}

// rustProgram notes a file with a main function, unless it belongs to a package
// that does not build it as a program.
func (s *scan) rustProgram(crate *manifest, rel string, line int, text string) {
	doc := strings.ReplaceAll(rustDoc.FindString(text), "//!", "")
	p := Program{
		Language: "rust", Path: path.Dir(rel), Target: rel, File: rel, Line: line, Doc: sentence(doc), Serves: rustServer.MatchString(text),
	}
	if crate != nil {
		kind, target := crate.target(rel)
		if kind == "" {
			return
		}
		p.Framework = kind
		p.Usual = target.Name == crate.Package.DefaultRun || crate.Package.DefaultRun == "" && s.isDefault(crate)
		if len(target.Features) > 0 {
			p.BuildArgs = []string{"--features", strings.Join(target.Features, ",")}
		}
	}
	s.program(p)
}

// rustTests names the tests of a file with the modules that they are in, by how
// those are indented.
func rustTests(text, prefix string) []string {
	type module struct {
		name       string
		start, end int
	}
	var modules []module
	for _, at := range rustModule.FindAllStringSubmatchIndex(text, -1) {
		end := strings.Index(text[at[1]:], "\n"+text[at[2]:at[3]]+"}")
		if end < 0 {
			end = len(text) - at[1]
		}
		modules = append(modules, module{text[at[4]:at[5]], at[1], at[1] + end})
	}
	var names []string
	for _, at := range rustTest.FindAllStringSubmatchIndex(text, -1) {
		name := prefix
		for _, m := range modules {
			if m.start <= at[2] && at[2] < m.end {
				name += m.name + "::"
			}
		}
		names = append(names, name+text[at[2]:at[3]])
	}
	return names
}
