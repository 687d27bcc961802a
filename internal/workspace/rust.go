package workspace

import (
	"path"
	"strings"

	"aidb-mcp/internal/pattern"
)

var (
	rustMain   = pattern.New(`(?m)^(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`)
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
		s.rustSuites(crate, dir.rel, rel, text)
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
		if need := without(target.Features, crate.defaults()); len(need) > 0 {
			p.BuildArgs = []string{"--features", strings.Join(need, ",")}
		}
	}
	s.program(p)
}
