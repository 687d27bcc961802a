package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
)

// buildSingle compiles one source file, with what build_args adds: flags, or
// further files. A program that is still right is not compiled again.
func (j *job) buildSingle(ctx context.Context, s site) (Product, error) {
	c, err := j.compilerFor(s.file)
	if err != nil {
		return Product{}, err
	}
	dir, err := j.workdir(j.workspaceOr(s.dir))
	if err != nil {
		return Product{}, err
	}
	k, err := j.keep(c.path, c.args, s.file)
	if err != nil {
		return Product{}, err
	}
	program, fresh := k.program()
	if !fresh {
		j.progress("compiling " + j.show(s.file))
		if program, err = j.compile(ctx, c, s, k); err != nil {
			return Product{}, err
		}
	}
	p := Product{
		Program: program, Args: j.Args, Dir: dir, Modules: []string{s.dir}, Entry: "main",
		Target: prepare.Show(j.Request, s.file),
	}
	if j.lang == Rust {
		p.Entry = crateName(stem(s.file)) + "::main"
	}
	return p, nil
}

// workspaceOr is where a program without a project of its own runs.
func (j *job) workspaceOr(dir string) string {
	if j.Workspace != "" && prepare.Inside(prepare.Physical(j.Workspace), prepare.Physical(dir)) {
		return j.Workspace
	}
	return dir
}

// compilation is a compiler with all arguments but the output's.
type compilation struct {
	path  string
	args  []string
	after []string // libraries, which must follow the source
	rust  bool
}

// compilerFor is the compiler that the user named (runtime_path, else CC, CXX
// or RUSTC), else what the system has. Our flags follow the environment's, so
// that there is debug information whatever these say, and build_args come last.
func (j *job) compilerFor(file string) (compilation, error) {
	if j.lang == Rust {
		path, err := j.needTool("rustc", "RUSTC", getRust, "rustc")
		args := append([]string{"--edition=2021", "-g", "-Copt-level=0", "--error-format=json"}, j.BuildArgs...)
		return compilation{path: path, args: args, rust: true}, err
	}
	variable, flags, names := "CC", "CFLAGS", []string{"cc", "gcc", "clang"}
	if isCPP(file) {
		variable, flags, names = "CXX", "CXXFLAGS", []string{"c++", "g++", "clang++"}
	}
	what := "a C compiler"
	if isCPP(file) {
		what = "a C++ compiler"
	}
	path, err := j.needTool(what, variable, getCPP, names...)
	args := j.words("CPPFLAGS", flags)
	if w := j.words(variable); j.RuntimePath == "" && len(w) > 1 {
		args = append(w[1:], args...) // CC="ccache gcc"
	}
	args = append(append(args, "-g", "-O0"), j.BuildArgs...)
	if runtime.GOOS != "windows" {
		args = append(args, "-fdiagnostics-color=never")
	}
	return compilation{path: path, args: args, after: append(j.words("LDFLAGS", "LDLIBS"), libraries(j.BuildArgs)...)}, err
}

// libraries are those of the arguments that name one: of a static library only what was
// asked for before it is taken.
func libraries(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !strings.HasPrefix(arg, "-l") })
}

// words are the values of environment variables, taken apart at spaces.
func (j *job) words(names ...string) []string {
	var words []string
	for _, name := range names {
		words = append(words, strings.Fields(prepare.Lookup(j.env, name))...)
	}
	return words
}

// needTool finds a tool: where runtime_path says, where the variable says, or by name.
func (j *job) needTool(what, variable, remedy string, names ...string) (string, error) {
	if j.RuntimePath != "" {
		path := prepare.Locate(j.Request, j.RuntimePath)
		if prepare.IsDir(path) {
			path = filepath.Join(path, names[0])
		}
		if found, ok := j.find(path); ok {
			return found, nil
		}
		return "", fault.New(fault.InvalidParam, "runtime_path: there is no program %s", j.show(path)).WithField("runtime_path").
			WithHint("give the path of %s", names[0])
	}
	if words := j.words(variable); len(words) > 0 {
		if found, ok := j.find(words[0]); ok {
			return found, nil
		}
		return "", missingTool(fmt.Sprintf("%s, which %s names,", words[0], variable), "correct "+variable)
	}
	if found, ok := j.find(names...); ok {
		return found, nil
	}
	return "", missingTool(what, remedy)
}

// compile makes the program in the keep.
func (j *job) compile(ctx context.Context, c compilation, s site, k *keep) (string, error) {
	work, err := k.begin()
	if err != nil {
		return "", fmt.Errorf("making room for the program: %w", err)
	}
	program, deps := filepath.Join(work, stem(s.file)+exeSuffix()), filepath.Join(work, "deps.d")
	args := append([]string{}, c.args...)
	if c.rust {
		args = append(args, "--emit=link="+program+",dep-info="+deps, s.file)
	} else {
		args = append(args, s.file, "-o", program, "-MD", "-MF", deps)
	}
	_, stderr, failed, err := j.run(ctx, command{name: filepath.Base(c.path), path: c.path, args: append(args, c.after...), dir: s.dir})
	if err != nil || failed {
		os.RemoveAll(work)
	}
	switch {
	case err != nil:
		return "", err
	case failed && c.rust:
		return "", j.rustcFailure(stderr, s.dir)
	case failed:
		return "", j.compileFailure(stderr, s.dir)
	}
	k.finish(program, deps)
	return program, nil
}

// compileFailure explains what a C or C++ compiler or linker said.
func (j *job) compileFailure(text, dir string) error {
	found := compileErrors(text, j.resolveIn(dir))
	f := prepare.BuildFailure(found, text)
	trouble := linkTrouble(text)
	if len(found) == 0 && trouble != "" {
		f.Message = "the build failed: " + trouble
	}
	remedy := missingFramework(text)
	switch {
	case remedy != "":
		return f.WithHint("%s", remedy)
	case strings.Contains(text, "undefined reference to `main'") || strings.Contains(text, "undefined symbol: main"):
		return f.WithHint("the program has no main function: give the file that has it, or the directory of the project's CMakeLists.txt or Makefile")
	case strings.Contains(text, "undefined reference to `testing::"):
		return f.WithHint(`GoogleTest is not linked: give {"build_args":["-lgtest_main","-lgtest","-pthread"]}`)
	case strings.Contains(text, "undefined reference") || strings.Contains(text, "undefined symbol") || strings.Contains(text, "Undefined symbols"):
		return f.WithHint(`the linker misses code: give the other files or libraries, for example {"build_args":["util.cpp","-lm"]}, or the directory of the project's CMakeLists.txt or Makefile`)
	case strings.Contains(text, "No such file or directory") && strings.Contains(text, "fatal error"):
		return f.WithHint(`a header was not found: give its directory, for example {"build_args":["-Iinclude"]}, or the project's directory as target`)
	}
	return f
}

func stem(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
