package workspace

import (
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// Support is what the folder of a language says of its projects. All but the name may
// be left out.
type Support struct {
	Name    string            // as the adapter's: "javascript"
	Sources map[string]string // the languages of its source files, by their extensions: ".ts" is "typescript"
	Builds  map[string]Build  // files that say how something is built, by their names
	// Framework is the test framework that a file of this name configures, empty for none.
	Framework func(name string) string
	// Made are the entries that show of a directory that it is an environment or a build's.
	Made []string
	// PackageRoot is where in a path the directories begin to be packages, which say nothing
	// of what a program is for, and what lies above the directories of sources.
	PackageRoot func(dir string) (root, above string, found bool)

	DebugPorts []int // that its debuggers listen at unless told otherwise, the usual one first
	// DebugWords finds in what a container runs, and in its environment, that it listens for
	// debuggers; its first group is the port.
	DebugWords *pattern.Pattern

	// Late: of a directory that several languages look at, it looks after those that are not.
	Late bool
	// Detect begins a look at a workspace.
	Detect func(*Look) Detector
}

// Detector is what a language does in one look at a workspace, in the order of the
// fields. Functions that it has no use for are nil.
type Detector struct {
	File      func(name string)             // a source file of the language was seen
	BuildName func(rel, name string) string // what a file of Builds names
	// Environment notes the directory that has an interpreter and its packages, if it is one.
	Environment func(rel string) bool
	Skips       func(rel string) bool    // no sources of the user's are in this directory
	IsMade      func(dir Directory) bool // nor in this one, by its entries

	FailedIn func() []string // directories whose tests failed when they were last run, if that is plain before any source is read
	Look     func(dir Directory)
	Finish   func() // all was looked at
	// Installed notes programs of the project that no source tells of, when all others are known.
	Installed func()
	LastRuns  func() []Results           // what the runners have kept
	Count     func(files map[string]int) // corrects the number of source files by language
}

// detector begins a look, at nothing where the language has no detector.
func (s *Support) detector(look *Look) (d Detector) {
	if s.Detect != nil {
		d = s.Detect(look)
	}
	if d.Look == nil {
		d.Look = func(Directory) {}
	}
	return d
}

// Languages are those that a look knows, in the order in which they look.
type Languages []*Support

// NewLanguages puts those that look late after the others.
func NewLanguages(list ...*Support) Languages {
	slices.SortStableFunc(list, func(a, b *Support) int { return CompareBool(a.Late, b.Late) })
	return list
}

// others are the languages of source files that no adapter has a folder for.
var others = Support{
	Sources: map[string]string{
		".kt": "kotlin", ".kts": "kotlin", ".cs": "csharp", ".php": "php", ".zig": "zig", ".swift": "swift",
	},
	Builds: map[string]Build{
		"Makefile": {Kind: "Makefile"}, "makefile": {Kind: "Makefile"}, "GNUmakefile": {Kind: "Makefile"},
		"MODULE.bazel": {Kind: "Bazel"}, "WORKSPACE": {Kind: "Bazel"}, "WORKSPACE.bazel": {Kind: "Bazel"},
		"build.zig": {Kind: "Zig build", Language: "zig"},
	},
}

// LanguageOf names the language of a source file by its name, empty when it is none.
func (l Languages) LanguageOf(file string) string {
	ext := strings.ToLower(path.Ext(file))
	for _, language := range l {
		if name := language.Sources[ext]; name != "" {
			return name
		}
	}
	return others.Sources[ext]
}

// buildOf recognises a build file by its name, and the place of its language among all.
func (l Languages) buildOf(name string) (b Build, language int, ok bool) {
	for i, language := range l {
		if b, ok := language.Builds[name]; ok {
			return b, i, true
		}
	}
	b, ok = others.Builds[name]
	return b, -1, ok
}

// frameworkOf recognises a test framework by its own configuration file.
func (l Languages) frameworkOf(name string) (Framework, bool) {
	for _, language := range l {
		if language.Framework == nil {
			continue
		}
		if framework := language.Framework(name); framework != "" {
			return Framework{language.Name, framework}, true
		}
	}
	return Framework{}, false
}

// kin are the languages that the adapter of a language debugs too.
func (l Languages) kin(language string) []string {
	names := []string{language}
	for _, known := range l {
		if known.Name != language {
			continue
		}
		for _, name := range known.Sources {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// packageRoot is where a path begins to name packages, and what lies above the directories
// of sources.
func (l Languages) packageRoot(dir string) (root, above string, found bool) {
	for _, language := range l {
		if language.PackageRoot == nil {
			continue
		}
		if root, above, found = language.PackageRoot(dir); found {
			return root, above, true
		}
	}
	return "", "", false
}
