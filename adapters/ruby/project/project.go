// Package project says what projects of Ruby are: their files, programs and tests.
package project

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/adapters/ruby/rubysrc"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/pattern"
)

// Support is what is known of projects of Ruby.
var Support = workspace.Support{
	Name:    "ruby",
	Sources: map[string]string{".rb": "ruby", ".rake": "ruby", ".gemspec": "ruby"},
	Builds: map[string]workspace.Build{
		"Gemfile": {Kind: "Bundler", Language: "ruby"}, "Rakefile": {Kind: "Rake", Language: "ruby"},
	},
	Framework: func(name string) string {
		if name == ".rspec" {
			return rubysrc.RSpec
		}
		return ""
	},
	DebugPorts: []int{12345},
	DebugWords: pattern.New(`(?:rdbg\b.*?--port[ =]|RUBY_DEBUG_PORT[=:]\s*)(\d+)`),
	Detect: func(look *workspace.Look) workspace.Detector {
		s := &scan{Look: look}
		return workspace.Detector{Look: s.look, Skips: skips, Finish: s.finish}
	},
}

// scan is one look at a workspace.
type scan struct {
	*workspace.Look
	framework string // that a file of the project names, for tests which do not say theirs
	suites    []suite
	loose     []script
	required  map[string]bool // names of files that others load
	rails     []string        // directories of applications of Rails
	racks     []workspace.Program
	tasks     []workspace.Program // of Rake
}

type suite struct {
	of    workspace.Suite
	names []string
}

type script struct {
	program workspace.Program
	base    string
}

// skips says that a directory has what was installed or made.
func skips(rel string) bool {
	return slices.Contains([]string{"vendor/bundle", "vendor/cache", "coverage", "pkg"}, rel)
}

var (
	doc = pattern.New(`^(?:#!.*\n)?(?:#\s*(?:frozen_string_literal|encoding|coding|typed):.*\n|\s*\n)*#[ \t]*([^!\s][^\n]*)`)
	// runs is the part of a file that is for when it is run itself.
	runs = pattern.New(`(?m)^(?:if\s+(?:__FILE__\s*==\s*(?:\$0|\$PROGRAM_NAME)|(?:\$0|\$PROGRAM_NAME)\s*==\s*__FILE__)|.*\bif\s+(?:__FILE__\s*==\s*(?:\$0|\$PROGRAM_NAME)|(?:\$0|\$PROGRAM_NAME)\s*==\s*__FILE__))`)
	// does is a line at the top of a file that does something.
	does     = pattern.New(`(?m)^(?:(?:puts|print|p|warn|exit|loop|while|until|ARGV|ARGF|STDIN|\$stdin|send)\b|[a-z_]\w*\s*=[^=~>]|[a-z_]\w*\(|[A-Z]\w*(?:::\w+)*\.(?:new|run|start|main|call|parse|invoke)\b|\w+\.each\b)`)
	sinatra  = pattern.New(`(?m)^\s*require\s+['"]sinatra['"]`)
	rails    = pattern.New(`(?m)^\s*require\s+['"]rails/commands['"]`)
	task     = pattern.New(`(?m)^\s*task\b`)
	rack     = pattern.New(`(?m)^\s*run\b`)
	requires = pattern.New(`(?m)^\s*(?:require|require_relative|load)\s*\(?\s*['"](?:.*/)?([\w.-]+?)(?:\.rb)?['"]`)
)

// look finds the programs and tests of a directory.
func (s *scan) look(dir workspace.Directory) {
	if s.required == nil {
		s.required = map[string]bool{}
	}
	for _, name := range []string{"Gemfile", "Rakefile", "test_helper.rb", "spec_helper.rb", "helper.rb"} {
		if dir.Has(name) {
			s.noteFramework(s.Read(workspace.Join(dir.Rel, name)))
		}
	}
	for _, name := range dir.Files(".rb") {
		rel := workspace.Join(dir.Rel, name)
		text := s.Read(rel)
		for _, m := range requires.FindAllStringSubmatch(text, -1) {
			s.required[m[1]] = true
		}
		if rubysrc.IsTestFile(name) {
			if s.tests(dir, rel, text) {
				continue
			}
		}
		s.program(dir, rel, text)
	}
	s.serve(dir)
	s.task(dir)
	if slices.Contains([]string{"bin", "exe"}, path.Base(dir.Rel)) {
		s.commands(dir)
	}
}

var gems = pattern.New(`(?m)^\s*gem\s+['"](rspec|rspec-core|rspec-rails|minitest|test-unit)['"]`)

// noteFramework takes what a project's file says of its tests.
func (s *scan) noteFramework(text string) {
	if s.framework != "" {
		return
	}
	if s.framework = rubysrc.Framework(text); s.framework == "" {
		if m := gems.FindStringSubmatch(text); m != nil {
			s.framework = m[1]
			if strings.HasPrefix(m[1], "rspec") {
				s.framework = rubysrc.RSpec
			}
		}
	}
}

func (s *scan) tests(dir workspace.Directory, rel, text string) bool {
	tests := rubysrc.Tests(text)
	if len(tests) == 0 {
		return false
	}
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.Full()
	}
	s.suites = append(s.suites, suite{workspace.Suite{Language: "ruby", Framework: rubysrc.Framework(text), Path: dir.Rel, Target: rel}, names})
	return true
}

func (s *scan) program(dir workspace.Directory, rel, text string) {
	p := workspace.Program{Language: "ruby", Path: dir.Rel, Target: rel, File: rel, Doc: docOf(text), Changed: s.Changed(rel)}
	name := strings.TrimSuffix(path.Base(rel), ".rb")
	p.Unnamed = !slices.Contains([]string{"main", "app", "server", "cli", "run"}, name)
	switch line := workspace.LineOf(runs, text); {
	case sinatra.MatchString(text):
		p.Framework, p.Serves, p.Line = "Sinatra", true, workspace.LineOf(sinatra, text)
		s.AddProgram(p)
	case line > 0:
		p.Line = line
		s.AddProgram(p)
	case !isLoaded(dir.Rel):
		if p.Line = workspace.LineOf(does, text); p.Line > 0 {
			p.Loose = true
			s.loose = append(s.loose, script{p, name})
		}
	}
}

// isLoaded says that the files of a directory are read by a framework, which runs them.
func isLoaded(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, "/"), func(name string) bool { return name == "config" || name == "db" })
}

// serve adds the server of a web framework by the file that starts it. What it is started with
// lets the system choose the port.
func (s *scan) serve(dir workspace.Directory) {
	root := path.Dir(dir.Rel)
	if text := s.Read(workspace.Join(dir.Rel, "rails")); path.Base(dir.Rel) == "bin" && strings.Contains(text, "rails/commands") {
		p := workspace.Program{Language: "ruby", Framework: "Rails", Path: dir.Rel, Target: workspace.Join(dir.Rel, "rails"), Serves: true, Args: []string{"server", "-p", "0"}}
		p.File, p.Line, p.Cwd = p.Target, workspace.LineOf(rails, text), cwd(root)
		if dir.Has("spring") { // it would hand the program to a process that it keeps
			p.Env = map[string]string{"DISABLE_SPRING": "1"}
		}
		s.rails = append(s.rails, root)
		s.AddProgram(p)
	}
	if text := s.Read(workspace.Join(dir.Rel, "config.ru")); text != "" {
		s.racks = append(s.racks, workspace.Program{
			Language: "ruby", Framework: "Rack", Path: dir.Rel, Target: workspace.Join(dir.Rel, "config.ru"), File: workspace.Join(dir.Rel, "config.ru"),
			Line: workspace.LineOf(rack, text), Doc: docOf(text), Serves: true, Args: []string{"-p", "0"}, Cwd: cwd(dir.Rel),
		})
	}
}

// task adds the default task of a Rakefile that has tasks of its own.
func (s *scan) task(dir workspace.Directory) {
	file := workspace.Join(dir.Rel, "Rakefile")
	text := s.Read(file)
	if line := workspace.LineOf(task, text); line > 0 {
		s.tasks = append(s.tasks, workspace.Program{
			Language: "ruby", Framework: "Rake", Plain: true, Path: dir.Rel, Target: file, File: file, Line: line, Doc: docOf(text), Cwd: cwd(dir.Rel),
		})
	}
}

func cwd(rel string) string {
	if rel == "." {
		return ""
	}
	return rel
}

// commands are the scripts of a project without an extension.
func (s *scan) commands(dir workspace.Directory) {
	for _, e := range dir.Entries {
		if e.IsDir() || strings.Contains(e.Name(), ".") || slices.Contains([]string{"bundle", "rails", "rake", "rspec", "setup", "console", "spring"}, e.Name()) {
			continue
		}
		rel := workspace.Join(dir.Rel, e.Name())
		text := s.Read(rel)
		if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") && strings.Contains(first, "ruby") {
			s.AddProgram(workspace.Program{Language: "ruby", Path: dir.Rel, Target: rel, File: rel, Line: 1, Doc: docOf(text), Usual: true})
		}
	}
}

func docOf(text string) string {
	if m := doc.FindStringSubmatch(text); m != nil {
		return workspace.Sentence(m[1])
	}
	return ""
}

// finish adds what had to wait until all files were seen: scripts that no other file loads,
// servers that nothing else starts, and tests whose framework another file names.
func (s *scan) finish() {
	for _, l := range s.loose {
		if !s.required[l.base] {
			s.AddProgram(l.program)
		}
	}
	for _, p := range s.racks {
		if !slices.Contains(s.rails, p.Path) {
			s.AddProgram(p)
		}
	}
	if len(s.Project.Programs) == 0 && len(s.suites) == 0 { // else tasks are for those
		for _, p := range s.tasks {
			s.AddProgram(p)
		}
	}
	for _, t := range s.suites {
		switch {
		case t.of.Framework != "":
		case s.framework != "":
			t.of.Framework = s.framework
		case strings.HasSuffix(t.of.Target, "_spec.rb"):
			t.of.Framework = rubysrc.RSpec
		default:
			t.of.Framework = rubysrc.Minitest
		}
		s.AddSuite(t.of, t.names)
	}
}
