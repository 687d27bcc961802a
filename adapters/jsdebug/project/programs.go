package project

import (
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"aidb-mcp/adapters/jsdebug/project/nodejs"
	"aidb-mcp/adapters/jsdebug/project/npmscript"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

var (
	jsScripts = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}
	jsShebang = pattern.New(`^#![^\n]*\b(?:node|tsx|ts-node)\b`)
	jsServes  = pattern.New(`\.listen\s*\(|\bcreateServer\s*\(|\bserve\s*\(`)
	jsExports = pattern.New(`(?m)^\s*(?:module\.exports\b|exports\.\w+\s*=|export\s+(?:default|const|let|function|class|async|type|interface|enum|\{|\*))`)
)

// npmManifest is what a package.json says of programs and tests.
type npmManifest struct{ npmscript.Manifest }

// jsServers are the packages that programs serve with, and their names.
var jsServers = [][2]string{
	{"@nestjs/core", "NestJS"}, {"express", "Express"}, {"fastify", "Fastify"}, {"koa", "Koa"}, {"@hapi/hapi", "hapi"},
	{"hono", "Hono"}, {"@adonisjs/core", "AdonisJS"}, {"@feathersjs/feathers", "Feathers"}, {"restify", "Restify"},
}

// jsBrowser are packages whose users' code runs in a browser.
var jsBrowser = []string{"react-dom", "vue", "svelte", "@angular/core", "solid-js", "preact", "lit"}

// startScripts are the scripts of a package that start its program, the usual one first.
var startScripts = []string{"start", "start:dev", "dev", "serve", "server"}

// javascript looks for what a package says that it runs, for scripts that say it
// themselves, and for tests.
func (s *scan) javascript(dir workspace.Directory) {
	if dir.Has("package.json") {
		m := s.npm(workspace.Join(dir.Rel, "package.json"))
		s.packages[dir.Rel] = m
		s.npmPrograms(dir, m)
	}
	if runner := s.jsRunnerOf(dir); runner != "" {
		s.runners[dir.Rel] = runner
	}
	s.nodeVersion(dir)
	for _, name := range dir.Files(jsScripts...) {
		rel := workspace.Join(dir.Rel, name)
		stem, _, _ := strings.Cut(name, ".")
		switch {
		case isJSTest(dir.Rel, name):
			s.jsTests(dir, rel)
		case strings.HasSuffix(name, ".d.ts") || strings.Contains(name, ".config."):
		case s.namedProgram(dir.Rel, name, stem) || jsShebang.MatchString(s.Read(rel)):
			s.npmProgram(dir.Rel, rel, npmscript.Command{}, "")
		}
	}
}

// nodeVersion notes which Node.js a directory asks its user's version manager for.
func (s *scan) nodeVersion(dir workspace.Directory) {
	if !slices.ContainsFunc(dir.Entries, func(e fs.DirEntry) bool { return nodejs.Says(e.Name()) }) {
		return
	}
	if pin := nodejs.PinOf(s.Abs(dir.Rel)); pin.Version != "" {
		e := workspace.Environment{Language: "javascript", Path: workspace.Join(dir.Rel, pin.File), Name: "node " + pin.Version, Interpreter: nodejs.Find(pin.Version)}
		s.Project.Environments = append(s.Project.Environments, e)
	}
}

// npmPrograms adds the programs that a package names, those that its scripts
// start first, and of these what runs the sources before what runs a build.
func (s *scan) npmPrograms(in workspace.Directory, m *npmManifest) {
	dir, doc := in.Rel, workspace.Sentence(m.Description)
	var built []npmscript.Command
	for _, script := range startScripts {
		for _, c := range m.commands(script) {
			if c.Tool != "" {
				s.devServer(in, m, script, c)
				continue
			}
			if s.sourceOf(path.Join(dir, c.File)) != "" {
				built = append(built, c)
				continue
			}
			s.npmProgram(dir, path.Join(dir, c.File), c, doc)
		}
	}
	for _, c := range built {
		s.npmProgram(dir, path.Join(dir, c.File), c, doc)
	}
	for _, file := range m.Bins() {
		s.npmProgram(dir, path.Join(dir, file), npmscript.Command{}, doc)
	}
	if m.Main == "" || m.library() {
		return
	}
	if file := s.script(path.Join(dir, m.Main)); file != "" && !s.defines(file) {
		s.npmProgram(dir, file, npmscript.Command{}, doc)
	}
}

// npmProgram adds a program of the package whose directory is dir.
func (s *scan) npmProgram(dir, rel string, c npmscript.Command, doc string) {
	if rel = s.script(rel); rel == "" {
		return
	}
	p := workspace.Program{
		Language: "javascript", Path: path.Dir(rel), Target: rel, File: rel, Line: 1, Doc: doc,
		Args: c.Args, BuildArgs: c.NodeArgs, Env: c.Env, Serves: jsServes.MatchString(s.Read(rel)),
	}
	if c.File != "" && dir != "." {
		p.Cwd = dir // as npm does
	}
	if m := s.packageOf(path.Dir(rel)); m != nil && (c.File != "" || p.Serves) {
		p.Framework = m.serves()
	}
	if p.Framework != "" {
		p.Serves = true
	}
	s.AddProgram(p)
}

// defines says that a file only defines what others import.
func (s *scan) defines(rel string) bool {
	text := s.Read(rel)
	return jsExports.MatchString(text) && !jsServes.MatchString(text)
}

// namedProgram says that a file is called as programs are, where no package says
// which they are.
func (s *scan) namedProgram(dir, name, stem string) bool {
	if ext := path.Ext(name); ext == ".jsx" || ext == ".tsx" {
		return false // for a browser
	}
	m := s.packageOf(dir)
	if m != nil && m.names() {
		return false
	}
	names := []string{"server", "cli"}
	switch {
	case m != nil && m.library():
	case m != nil && m.browser():
	default:
		if names = append(names, "main"); strings.HasSuffix(name, "js") {
			names = append(names, "app", "index")
		}
	}
	if slices.Contains(names, stem) {
		switch {
		case m != nil && m.library():
			return !jsExports.MatchString(s.Read(workspace.Join(dir, name))) // also of a server's own parts
		case stem == "app" || stem == "index":
			return !s.defines(workspace.Join(dir, name))
		}
		return true
	}
	return (stem == "app" || stem == "index") && m != nil && m.serves() != "" && jsServes.MatchString(s.Read(workspace.Join(dir, name)))
}

func (s *scan) npm(rel string) *npmManifest {
	m := &npmManifest{}
	_ = json.Unmarshal([]byte(s.Read(rel)), m) // one that cannot be read says nothing
	return m
}

// names says that a package names its programs.
func (m *npmManifest) names() bool {
	if len(m.Bins()) > 0 || m.Main != "" && !m.library() {
		return true
	}
	return slices.ContainsFunc(startScripts, func(script string) bool {
		return slices.ContainsFunc(m.commands(script), func(c npmscript.Command) bool { return c.File != "" })
	})
}

// library says that a package is made to be imported: its main file only defines.
func (m *npmManifest) library() bool {
	return len(m.Exports) > 0 || len(m.Files) > 0 || m.Module != "" || m.Types != "" || m.Typings != ""
}

// serves is what the package's programs serve with, empty for nothing known.
func (m *npmManifest) serves() string {
	for _, server := range jsServers {
		if _, used := m.Dependencies[server[0]]; used {
			return server[1]
		}
	}
	return ""
}

// browser says that the package's own code runs in a browser.
func (m *npmManifest) browser() bool {
	bundled := func(script string) bool { return bundlers.MatchString(m.Scripts[script]) }
	return slices.ContainsFunc(jsBrowser, m.Wants) || slices.ContainsFunc(startScripts, bundled)
}

// bundlers matches the commands that serve a browser's code while it is written.
var bundlers = pattern.New(`\b(?:vite|webpack|next|react-scripts|ng|parcel|astro|nuxt|vue-cli-service|gatsby|expo)\b`)

// script is the file that a package means, its source where that is there:
// dist/index.js is made of src/index.ts. A program may have no extension.
func (s *scan) script(rel string) string {
	if source := s.sourceOf(rel); source != "" {
		return source
	}
	for _, c := range []string{rel, rel + ".js", rel + "/index.js", strings.TrimSuffix(rel, path.Ext(rel)) + ".ts"} {
		if ext := path.Ext(c); (slices.Contains(jsScripts, ext) || ext == "" && jsShebang.MatchString(s.Read(c))) && s.Exists(c) {
			return c
		}
	}
	return ""
}

// sourceOf is the TypeScript that a file in a directory of built files is made of,
// empty when there is none.
func (s *scan) sourceOf(rel string) string {
	stem := strings.TrimSuffix(rel, path.Ext(rel))
	for _, out := range append([]string{"dist", "build", "lib", "out"}, slices.Sorted(maps.Values(s.outputs))...) {
		before, after, ok := strings.Cut("/"+stem, "/"+out+"/")
		if !ok {
			continue
		}
		after = strings.TrimPrefix(after, "src/")
		for _, from := range []string{"/src/", "/"} {
			for _, ext := range []string{".ts", ".mts", ".cts"} {
				if c := strings.TrimPrefix(before+from+after+ext, "/"); s.Exists(c) {
					return c
				}
			}
		}
	}
	return ""
}

// packageOf is the nearest package.json from a directory upwards, nil when there is none.
func (s *scan) packageOf(rel string) *npmManifest {
	for ; ; rel = path.Dir(rel) {
		if m := s.packages[rel]; m != nil || rel == "." {
			return m
		}
	}
}
