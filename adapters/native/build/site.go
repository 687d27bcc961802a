package build

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// tool is what builds.
type tool int

const (
	compiler tool = iota // one source file
	cmake
	meson
	makefile
	cargo
	nothing // it is a binary already
)

// String is what a tool is called.
func (t tool) String() string {
	return map[tool]string{compiler: "the compiler", cmake: "CMake", meson: "Meson", makefile: "make", cargo: "Cargo"}[t]
}

// debugInfoRemedy is how a project lets a tool build with debug information.
func (t tool) debugInfoRemedy() string {
	if t == meson {
		return "take \"-s\" and \"-g0\" out of meson.build"
	}
	return "take \"-s\" and \"-g0\" out of CMakeLists.txt"
}

// site is where and what to build.
type site struct {
	tool tool
	dir  string // of the project (its project file is in it), of the source file, or of the binary
	file string // the source file or binary that was named, absolute; may be empty
	name string // the target that was named; may be empty
}

// locate understands the target: a file, a directory, or the name of a target
// of the workspace's project. module names a target of the project in any case.
func (j *job) locate() (site, error) {
	path := j.Workspace
	if j.Target != "" {
		path = prepare.Locate(j.Request, j.Target)
	}
	if path == "" {
		return site{}, fault.New(fault.MissingParam, "target is missing: what is to be debugged?").WithField("target").
			WithHint(`give a source file, a project's directory or a binary, for example {"target":%q}`, j.example())
	}
	s, err := j.recognise(path)
	s.name = cmp.Or(j.Module, s.name)
	return s, err
}

// missingPath is the error for what is not there.
func (j *job) missingPath(path string) error {
	f := prepare.Missing(j.Request, path)
	if f.Hint == "" {
		f = f.WithHint("give a source file, a project's directory, the name of one of its targets or a binary, for example %s", j.example())
	}
	return f
}

func (j *job) example() string {
	if j.lang == Rust {
		return "./src/main.rs"
	}
	return "./main.cpp"
}

func (j *job) recognise(path string) (site, error) {
	switch {
	case isSource(path, j.lang):
		if !prepare.IsFile(path) {
			return site{}, j.missingPath(path)
		}
		return j.sourceSite(path), nil
	case prepare.IsDir(path):
		return j.directorySite(path)
	case prepare.IsFile(path) && isProjectFile(path, j.lang):
		return site{tool: toolOf(path), dir: filepath.Dir(path)}, nil
	case prepare.IsFile(path) && isProgram(path) && j.lang == CPP && j.Mode != adapters.Exec && isMadeHere(path):
		return site{tool: makefile, dir: filepath.Dir(path), name: filepath.Base(path)}, nil
	case prepare.IsFile(path) && isProgram(path):
		return site{tool: nothing, dir: filepath.Dir(path), file: path}, nil
	case prepare.IsFile(path):
		return site{}, fault.New(fault.InvalidTarget, "%s is neither source nor a program", prepare.Show(j.Request, path)).
			WithField("target").WithHint("give a source file, a project's directory or a binary, for example %s", j.example())
	}
	return j.namedSite(path)
}

func isProjectFile(path string, lang Language) bool {
	return slices.Contains(projectFiles(lang), filepath.Base(path)) || filepath.Ext(path) == ".mk" && lang == CPP
}

func toolOf(projectFile string) tool {
	switch filepath.Base(projectFile) {
	case "Cargo.toml":
		return cargo
	case "CMakeLists.txt":
		return cmake
	case "meson.build":
		return meson
	}
	return makefile
}

// sourceSite is for one source file: part of the project around it when that
// is Cargo's, CMake's or Meson's, else alone.
func (j *job) sourceSite(path string) site {
	s := site{tool: compiler, dir: filepath.Dir(path), file: path}
	outer := outerFiles(j.lang)
	if dir := prepare.Upwards(s.dir, outer...); dir != "" {
		i := slices.IndexFunc(outer, func(name string) bool { return prepare.IsFile(filepath.Join(dir, name)) })
		s.tool, s.dir = toolOf(outer[max(i, 0)]), dir
	}
	return s
}

// directorySite is for a directory: the project in it, the one around it, or
// the only source file there is.
func (j *job) directorySite(dir string) (site, error) {
	for _, name := range projectFiles(j.lang) {
		if prepare.IsFile(filepath.Join(dir, name)) && (name != "GNUmakefile" || !isUnconfigured(dir)) {
			return site{tool: toolOf(name), dir: dir}, nil
		}
	}
	if outer := prepare.Upwards(dir, "Cargo.toml"); outer != "" && j.lang == Rust {
		return site{tool: cargo, dir: outer}, nil
	}
	var sources []string
	for _, name := range prepare.Names(dir) {
		if isSource(name, j.lang) {
			sources = append(sources, prepare.Show(j.Request, filepath.Join(dir, name)))
		}
	}
	if isUnconfigured(dir) && len(sources) != 1 {
		return site{}, fault.New(fault.InvalidTarget, "%s has no makefile yet", prepare.Show(j.Request, dir)).WithField("target").
			WithHint("run `./configure` first (where there is none yet: `autoreconf -i`), which makes it")
	}
	if hint := otherBuilder(dir); hint != "" && len(sources) != 1 {
		return site{}, fault.New(fault.InvalidTarget, "%s is not built by what is known here: CMake, Meson, make", prepare.Show(j.Request, dir)).
			WithField("target").WithHint("%s", hint)
	}
	switch len(sources) {
	case 0:
		return site{}, fault.New(fault.InvalidTarget, "%s has nothing to build: no %s, no source file", prepare.Show(j.Request, dir),
			strings.Join(projectFiles(j.lang), ", no ")).WithField("target").
			WithHint("give a source file, the directory of the project, or a binary with mode exec")
	case 1:
		return site{tool: compiler, dir: dir, file: prepare.Locate(j.Request, sources[0])}, nil
	}
	return site{}, ambiguous("target", fmt.Sprintf("%s has %d source files and nothing that says how they are built", prepare.Show(j.Request, dir), len(sources)), sources)
}

// otherBuilder is how to come to a program in a directory that is built by Bazel; empty
// for any other.
func otherBuilder(dir string) string {
	for _, name := range []string{"MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel", "BUILD.bazel"} {
		if prepare.IsFile(filepath.Join(dir, name)) {
			return "build it with `bazel build -c dbg //PACKAGE:NAME`, then debug bazel-bin/PACKAGE/NAME with mode exec"
		}
	}
	return ""
}

// isUnconfigured says that a directory is built by a makefile that is yet to be made: the
// GNUmakefile of some projects says just that.
func isUnconfigured(dir string) bool {
	return prepare.IsFile(filepath.Join(dir, "configure.ac")) && !prepare.IsFile(filepath.Join(dir, "Makefile")) && !prepare.IsFile(filepath.Join(dir, "makefile"))
}

// namedSite is for what does not exist as a file: a program still to be built,
// or the name of a target.
func (j *job) namedSite(path string) (site, error) {
	above := filepath.Dir(path)
	for above != filepath.Dir(above) && !prepare.IsDir(above) {
		above = filepath.Dir(above)
	}
	dir := prepare.Upwards(above, projectFiles(j.lang)...)
	if dir == "" || !prepare.Inside(cmp.Or(j.Workspace, dir), dir) && !prepare.Inside(dir, cmp.Or(j.Workspace, dir)) {
		return site{}, j.missingPath(path)
	}
	s, err := j.directorySite(dir)
	s.name = filepath.Base(path)
	if rel, err := filepath.Rel(dir, path); err == nil && s.tool == makefile {
		s.name = rel
	}
	return s, err
}

// ambiguous is the error of a request that could mean several things.
func ambiguous(field, what string, candidates []string) *fault.Error {
	const most = 12
	list := candidates[:min(len(candidates), most)]
	return fault.New(fault.InvalidTarget, "%s", what).WithField(field).
		WithHint("say which one: %s", strings.Join(list, ", ")).WithDetails(prepare.Candidates{Candidates: list})
}

// show is a path as an error or a heading has it: relative to the workspace,
// without "./".
func (j *job) show(path string) string {
	return strings.TrimPrefix(prepare.Show(j.Request, path), "."+string(filepath.Separator))
}

// resolveIn finds a file that a tool named, which was started in dir.
func (j *job) resolveIn(dir string) func(string) string {
	return func(file string) string {
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		return j.show(filepath.Clean(file))
	}
}

// isMadeByRust looks for the name that rustc leaves in its programs.
func isMadeByRust(path string) bool {
	f, err := openELF(path)
	if err != nil {
		return false
	}
	defer f.Close()
	section := f.Section(".comment")
	if section == nil {
		return false
	}
	text, err := section.Data()
	return err == nil && strings.Contains(string(text), "rustc version")
}

func itoa(n int) string { return strconv.Itoa(n) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// workdir is where the program runs: where the user said, else dir.
func (j *job) workdir(dir string) (string, error) {
	if j.Cwd != "" || dir == "" {
		return prepare.Workdir(j.Request, dir)
	}
	return dir, nil
}

var _ = adapters.Launch
