package rust

import (
	"path"
	"strings"

	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	rustMain   = pattern.New(`(?m)^(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`)
	rustDoc    = pattern.New(`^(?://![^\n]*\n?)+`)
	rustServer = pattern.New(`\b(?:TcpListener::bind|axum::serve|Server::bind|HttpServer::new|warp::serve|rocket::build)\b|#\[launch\]`)
)

// rust looks for the programs and examples of packages, for single files with a main
// function, and for tests.
func (s *scan) rust(dir workspace.Directory) {
	s.cargo(dir)
	for _, name := range []string{"rust-toolchain.toml", "rust-toolchain"} {
		if dir.Has(name) {
			s.Project.Environments = append(s.Project.Environments, workspace.Environment{Language: "rust", Path: workspace.Join(dir.Rel, name)})
		}
	}
	crate := s.crate(dir.Rel)
	for _, name := range dir.Files(".rs") {
		if name == "build.rs" {
			continue
		}
		rel := workspace.Join(dir.Rel, name)
		text := s.Read(rel)
		if line := workspace.LineOf(rustMain, text); line > 0 {
			s.rustProgram(crate, rel, line, text)
		}
		s.rustSuites(crate, dir.Rel, rel, text)
	}
}

// rustProgram notes a file with a main function, unless it belongs to a package
// that does not build it as a program.
func (s *scan) rustProgram(crate *manifest, rel string, line int, text string) {
	doc := strings.ReplaceAll(rustDoc.FindString(text), "//!", "")
	p := workspace.Program{
		Language: "rust", Path: path.Dir(rel), Target: rel, File: rel, Line: line, Doc: workspace.Sentence(doc), Serves: rustServer.MatchString(text),
	}
	if crate != nil {
		kind, target := crate.target(rel)
		if kind == "" {
			return
		}
		p.Framework, p.Plain = kind, kind == cargoBinary
		p.Usual = target.Name == crate.Package.DefaultRun || crate.Package.DefaultRun == "" && s.isDefault(crate)
		if need := subtract(target.Features, crate.defaults()); len(need) > 0 {
			p.BuildArgs = []string{"--features", strings.Join(need, ",")}
		}
	}
	s.AddProgram(p)
}
