// Package workspace looks at a directory and says what can be debugged in it:
// languages, build files, programs, tests and virtual environments.
//
// It only reads files and runs nothing. It knows nothing of adapters, sessions
// or tools. What is said of one language is given by its folder, as a [Support].
package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/project/source"
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

	known Languages
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

	Later   int       // how much later it is proposed than others like it
	Unnamed bool      // it is not called as programs are, and others of its kind may lie beside it
	Plain   bool      // Framework is only what builds it
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
	Library   bool // they are for others to use: their build does not run them
	Special   bool // they are run on purpose only, after the other tests

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
	MaxList    = 100       // programs, build files
	maxSuites  = maxParsed // all that are read: the one that failed may be the last
	MaxNames   = 20        // test names a suite
	maxLeftOut = 3         // directories that are named

	// A look at a large workspace ends when its time is over; a small one is looked at whole,
	// however busy the machine is.
	maxTime = 700 * time.Millisecond
	small   = 3_000 // entries
)

// Detect looks at the directory root. It is an error when that is no readable directory.
// What is found within the limits is what the project has.
func (l Languages) Detect(root string) (*Project, error) {
	if err := source.Directory(root); err != nil {
		return nil, err
	}
	real, err := source.Canonical(root)
	if err != nil {
		return nil, fmt.Errorf("look at the workspace: %w", err)
	}
	s := &Look{
		Project:    &Project{Root: real, known: l},
		languages:  map[string]int{},
		left:       map[string]bool{},
		frameworks: map[Framework]bool{},
		entries:    maxEntries,
		parses:     maxParsed,
	}
	for _, language := range l {
		s.detectors = append(s.detectors, language.detector(s))
	}
	s.extend()
	s.look(s.walk())
	for _, d := range s.detectors {
		if d.Finish != nil {
			d.Finish()
		}
	}
	for _, d := range s.detectors {
		if d.Installed != nil {
			d.Installed()
		}
	}
	s.lastRuns()
	s.finish()
	return s.Project, nil
}

// Look is one look at a workspace in progress; entries and parses count down.
type Look struct {
	Project    *Project
	until      time.Time
	languages  map[string]int
	left       map[string]bool // directories of which something was not looked at
	frameworks map[Framework]bool
	entries    int
	parses     int
	detectors  []Detector // in the order of the languages
}

// Abs is the absolute path of one below the root.
func (s *Look) Abs(rel string) string { return filepath.Join(s.Project.Root, filepath.FromSlash(rel)) }

func isSkipped(name string) bool {
	return source.Skipped(name) || name == "testdata" || name == "LC_MESSAGES" || strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__")
}

// Join is the path of a file of a directory.
func Join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

func (s *Look) file(rel, name string) {
	if language := s.Project.known.LanguageOf(name); language != "" {
		s.languages[language]++
		for i, known := range s.Project.known {
			if file := s.detectors[i].File; file != nil && slices.Contains(s.Project.known.kin(known.Name), language) {
				file(name)
			}
		}
	}
	if b, language, ok := s.Project.known.buildOf(name); ok && s.Room(len(s.Project.Builds)) {
		b.Path = rel
		if language >= 0 && s.detectors[language].BuildName != nil {
			b.Name = s.detectors[language].BuildName(rel, name)
		}
		s.Project.Builds = append(s.Project.Builds, b)
	}
	if f, ok := s.Project.known.frameworkOf(name); ok {
		s.frameworks[f] = true
	}
}

// Room says whether a list may grow, and notes that something was left out when not.
func (s *Look) Room(n int) bool {
	if n >= MaxList {
		s.Project.Truncated = true
		return false
	}
	return true
}

// finish puts what was counted into lists.
func (s *Look) finish() {
	p := s.Project
	for _, d := range s.detectors {
		if d.Count != nil {
			d.Count(s.languages)
		}
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
