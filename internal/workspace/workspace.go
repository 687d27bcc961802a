// Package workspace looks at a directory and says what can be debugged in it:
// languages, build files, programs, tests and virtual environments.
//
// It only reads files and runs nothing. It knows nothing of adapters, sessions
// or tools; a language that it should know more about gets a file of its own
// beside golang.go.
package workspace

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/pytestini"
	"aidb-mcp/internal/source"
	"aidb-mcp/internal/virtualenv"
)

// Project is what was found below a root. All paths in it are relative to the
// root with forward slashes ("." is the root itself); lists are in a stable order.
type Project struct {
	Root         string        // absolute, without symbolic links
	Languages    []Language    // most files first
	Builds       []Build       // nearest to the root first
	Programs     []Program     // nearest to the root first
	Tests        []Suite       // nearest to the root first
	Frameworks   []Framework   // by language, then name
	Environments []Environment // virtual environments
	Notes        []string      // what is to be done before something can be started
	Truncated    bool          // a limit was reached: there is more than is listed
	LeftOut      []string      // the first directories of which something was not looked at for that
	Left         int           // how many such directories there are
	Closed       []string      // the first directories that may not be read
}

// Language is a programming language with its number of source files.
type Language struct {
	Name  string // as in adapters: "go", "python"
	Files int
}

// Build is a file that says how something is built.
type Build struct {
	Path     string
	Kind     string // "Go module", "Makefile"
	Language string // empty when it is for any
	Name     string // what it names: the module path of a go.mod; where a tsconfig.json has code compiled into
}

// Program is something that can be started.
type Program struct {
	Language  string
	Framework string   // what it is made with, where that says how to start it: "Flask"
	Path      string   // of its directory: "cmd/app"
	Target    string   // what starts it: a file or a directory; empty: Path
	Module    string   // which of those that the target builds; empty: the only one
	Runner    string   // the module that runs it, in place of a target: "uvicorn"
	BuildArgs []string // of what builds or runs it
	Args      []string
	Env       map[string]string
	Cwd       string // where it must run; empty: the default
	Usual     bool   // it is the one that the project is for, by its own word
	File      string // that holds the entry point: "cmd/app/main.go"
	Line      int    // of the entry point
	Doc       string // first sentence of its documentation
	Serves    bool   // it listens and waits for requests

	Loose   bool      // it does what it does as it is read, and has no part that says so
	Changed time.Time // when it was written, of a script
}

// Suite is a package, directory or file of tests.
type Suite struct {
	Language  string
	Framework string // "go test"
	Path      string // of its directory: "internal/calc"
	Target    string // the file or directory that has them; empty: Path
	Module    string // which of the target's programs has them, or what runs them; empty: plain from the rest
	BuildArgs []string
	Args      []string
	Env       map[string]string
	Cwd       string // where they must run; empty: the default
	Names     []string
	Whole     bool // they run together: none can be named, or Names is empty and their names are not known
	Total     int  // tests in it, of which Names has the first
	Aside     bool // their framework does not look for them here by itself

	Changed time.Time // when the newest of its files was written
	Failed  []string  // those that failed when they were last run
	Ran     time.Time // when that was
}

// Framework is a test framework that is in use.
type Framework struct {
	Language, Name string
}

// Environment is a directory with an interpreter and its packages.
type Environment struct {
	Language    string
	Path        string // of its directory, or of the file that asks for it: ".venv", ".nvmrc"; absolute outside of the root
	Name        string // what it is, where the path does not tell: "node 20 by nvm", "uv"
	Interpreter string
}

// Limits of one look.
const (
	maxEntries = 60_000
	maxDepth   = 12
	maxParsed  = 2_000     // source files that are parsed
	maxList    = 100       // programs, build files
	maxSuites  = maxParsed // all that are read: the one that failed may be the last
	maxNames   = 20        // test names a suite
	maxLeftOut = 3         // directories that are named

	// A look at a large workspace ends when its time is over; a small one is looked at whole,
	// however busy the machine is.
	maxTime = 700 * time.Millisecond
	small   = 3_000 // entries
)

// Detect looks at the directory root. It is an error when that is no readable directory.
// What is found within the limits is what the project has.
func Detect(root string) (*Project, error) {
	if err := source.Directory(root); err != nil {
		return nil, err
	}
	real, err := source.Canonical(root)
	if err != nil {
		return nil, fmt.Errorf("look at the workspace: %w", err)
	}
	s := &scan{
		project:    &Project{Root: real},
		languages:  map[string]int{},
		left:       map[string]bool{},
		frameworks: map[Framework]bool{},
		entries:    maxEntries,
		parses:     maxParsed,
		packages:   map[string]*npmManifest{},
		manifests:  map[string]*manifest{},
		natives: nativeFiles{
			cmake: map[string]*buildFile{}, meson: map[string]*buildFile{}, make: map[string]*makefile{}, others: map[string]bool{}, named: map[nameIn]string{}, ownMacros: map[string]bool{},
		},
		py:      pythonScan{django: map[string]bool{}, configs: map[string]pytestini.Config{}},
		runners: map[string]string{},
		javas:   javaScan{declared: map[string]bool{}, tests: map[javaClass]*javaSources{}, late: map[string]bool{}},
		outputs: map[string]string{},
		gates:   map[string][]string{},
	}
	s.extend()
	s.look(s.walk())
	s.natively()
	s.decide()
	s.pythonPrograms()
	s.arrangeJava()
	s.rustGated()
	s.lastRuns()
	s.finish()
	return s.project, nil
}

// scan is one look in progress; entries and parses count down.
type scan struct {
	until      time.Time
	project    *Project
	languages  map[string]int
	left       map[string]bool // directories of which something was not looked at
	sourcesOfC int             // of the files of C: the rest are headers
	frameworks map[Framework]bool
	entries    int
	parses     int
	packages   map[string]*npmManifest // by the directory of their package.json
	manifests  map[string]*manifest    // of Cargo, by their directories
	natives    nativeFiles
	py         pythonScan
	outputs    map[string]string // directories that TypeScript is compiled into, and their last names
	runners    map[string]string // of tests of JavaScript, by the directory that says so
	javas      javaScan
	gates      map[string][]string // features that modules of Rust need, by their paths without ".rs"
}

func (s *scan) abs(rel string) string { return filepath.Join(s.project.Root, filepath.FromSlash(rel)) }

func skipped(name string) bool {
	return source.Skipped(name) || name == "testdata" || name == "LC_MESSAGES" || strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__")
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

func (s *scan) file(rel, name string) {
	if language := languageOf(name); language != "" {
		s.languages[language]++
		if strings.HasSuffix(name, ".c") {
			s.sourcesOfC++
		}
	}
	if b, ok := buildOf(name); ok && s.room(len(s.project.Builds)) {
		b.Path = rel
		switch name {
		case "go.mod":
			b.Name = modulePath(s.abs(rel))
		case "tsconfig.json":
			b.Name = s.typescript(rel)
		}
		s.project.Builds = append(s.project.Builds, b)
	}
	if f, ok := frameworkOf(name); ok {
		s.frameworks[f] = true
	}
}

// room says whether a list may grow, and notes that something was left out when not.
func (s *scan) room(n int) bool {
	if n >= maxList {
		s.project.Truncated = true
		return false
	}
	return true
}

// environment notes the Python environment that a directory is, whatever it is called.
func (s *scan) environment(rel string) bool {
	e, ok := virtualenv.At(s.abs(rel))
	if ok {
		interpreter := ""
		if found := e.Interpreter(); found != "" {
			interpreter = rel + filepath.ToSlash(strings.TrimPrefix(found, e.Dir))
		}
		s.project.Environments = append(s.project.Environments, pythonEnvironment(e, rel, interpreter))
	}
	return ok
}

// pythonEnvironment names who made an environment, but for the one that everybody has.
func pythonEnvironment(e virtualenv.Environment, at, interpreter string) Environment {
	found := Environment{Language: "python", Path: at, Interpreter: interpreter}
	if e.Manager != "venv" {
		found.Name = e.Manager
	}
	return found
}

// namedEnvironments notes those that the files of a directory name and that lie elsewhere.
func (s *scan) namedEnvironments(dir directory) {
	for _, e := range virtualenv.Named(s.abs(dir.rel), os.Getenv) {
		s.project.Environments = append(s.project.Environments, pythonEnvironment(e, e.Dir, e.Interpreter()))
	}
}

// finish puts what was counted into lists.
func (s *scan) finish() {
	p := s.project
	if s.languages["cpp"] > s.sourcesOfC { // then headers are C++'s too
		s.languages["cpp"] += s.languages["c"] - s.sourcesOfC
		s.languages["c"] = s.sourcesOfC
	}
	for name, n := range s.languages {
		if n == 0 {
			continue
		}
		p.Languages = append(p.Languages, Language{name, n})
	}
	slices.SortFunc(p.Languages, func(a, b Language) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name))
	})
	for f := range s.frameworks {
		p.Frameworks = append(p.Frameworks, f)
	}
	slices.SortFunc(p.Frameworks, func(a, b Framework) int {
		return cmp.Or(cmp.Compare(a.Language, b.Language), cmp.Compare(a.Name, b.Name))
	})
}
