package build

import (
	"context"
	"debug/elf"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// rules is what make says of a makefile: its variables, unexpanded, and what
// its targets are made of.
type rules struct {
	variables map[string]string
	needs     map[string][]string
	goal      string // what is made when nothing is said
}

// buildMake makes a goal of a makefile, with flags for debugging added to the
// makefile's own, and finds the program that came out.
func (j *job) buildMake(ctx context.Context, s site) (Product, error) {
	path, err := j.needTool("make", "MAKE", "install make (on Debian: apt install make)", "gmake", "make")
	if err != nil {
		return Product{}, err
	}
	release, err := j.alone(ctx, s.dir)
	if err != nil {
		return Product{}, err
	}
	defer release()
	r, err := j.makeRules(ctx, path, s.dir)
	if err != nil {
		return Product{}, err
	}
	goals, err := j.goals(r, s)
	if err != nil {
		return Product{}, err
	}
	anew, built := j.makeAnew(ctx, s.dir, r)
	program, err := j.make(ctx, path, s, r, goals, anew)
	built(ctx)
	if err == nil && !hasDebugInfo(program) { // it was made before, otherwise
		program, err = j.make(ctx, path, s, r, goals, true)
	}
	if err == nil {
		err = j.needDebugInfo(program, "make", `let the makefile compile with $(CFLAGS) or $(CXXFLAGS) and not strip the program, or set its own variable, for example {"build_args":["OPT=-g -O0"]}`)
	}
	if err != nil {
		return Product{}, err
	}
	dir, err := j.workdir(j.workspaceOr(s.dir))
	return Product{
		Program: program, Args: j.Args, Dir: dir, Modules: []string{s.dir}, Entry: "main",
		Target: fmt.Sprintf("%s of %s", filepath.Base(program), prepare.Show(j.Request, s.dir)),
	}, err
}

// makeRules asks make for its database, without making anything.
func (j *job) makeRules(ctx context.Context, path, dir string) (*rules, error) {
	out, errs, failed, err := j.run(ctx, command{name: "make", path: path, dir: dir, args: append([]string{"-pn"}, j.BuildArgs...)})
	if err != nil {
		return nil, err
	}
	r := readRules(out)
	if found := compileErrors(errs, j.resolveIn(dir)); failed && len(found) > 0 {
		return nil, prepare.BuildFailure(found, errs).WithHint("mend the makefile, then start again")
	}
	return r, nil
}

func readRules(text string) *rules {
	r := &rules{variables: map[string]string{}, needs: map[string][]string{}}
	skip := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "# Not a target:"):
			skip = true
		case line == "" || line[0] == '#' || line[0] == '\t':
		default:
			name, value, isVariable := strings.Cut(line, "=")
			name = strings.TrimRight(strings.TrimSpace(name), ":?+")
			name = strings.TrimSpace(name)
			if isVariable && !strings.ContainsAny(name, ": \t") {
				r.variables[name] = strings.TrimSpace(value)
				continue
			}
			if target, needs, ok := strings.Cut(line, ":"); ok && !skip && !strings.ContainsAny(target, "%=$() ") {
				needs, _, _ = strings.Cut(strings.TrimPrefix(needs, ":"), "|")
				r.needs[target] = append(r.needs[target], strings.Fields(needs)...)
			}
			skip = false
		}
	}
	r.goal = r.variables[".DEFAULT_GOAL"]
	return r
}

// goals are what make is to make: what was named, what build_args name, or the
// makefile's default.
func (j *job) goals(r *rules, s site) ([]string, error) {
	if s.name != "" {
		if _, ok := r.needs[s.name]; ok {
			return []string{s.name}, nil
		}
		if prepare.IsFile(filepath.Join(s.dir, s.name)) {
			return nil, nil // made by the default goal, in some way that is not plain
		}
		var known []string
		for target := range r.needs {
			if !strings.HasPrefix(target, ".") && !strings.HasSuffix(target, ".o") && !isAnySource(target) && !strings.HasSuffix(strings.ToLower(target), "makefile") {
				known = append(known, target)
			}
		}
		slices.Sort(known)
		return nil, unknownTarget(s.name, prepare.Show(j.Request, s.dir), known, source.Closest(s.name, known, 3))
	}
	var goals []string
	for _, arg := range j.BuildArgs {
		if !strings.HasPrefix(arg, "-") && !strings.Contains(arg, "=") {
			goals = append(goals, arg)
		}
	}
	return goals, nil
}

// make makes the goals, all anew when always is set, and finds the program.
func (j *job) make(ctx context.Context, path string, s site, r *rules, goals []string, always bool) (string, error) {
	j.progress("making " + prepare.Show(j.Request, s.dir))
	var args []string
	if always {
		args = append(args, "-B")
	}
	for _, name := range []string{"CFLAGS", "CXXFLAGS"} {
		if slices.ContainsFunc(j.BuildArgs, func(arg string) bool { return strings.HasPrefix(arg, name+"=") }) {
			continue
		}
		args = append(args, name+"="+strings.TrimSpace(r.variables[name]+" -g -O0"))
	}
	args = append(args, j.BuildArgs...)
	if s.name != "" {
		args = append(args, goals...)
	}
	out, errs, failed, err := j.run(ctx, command{name: "make", path: path, dir: s.dir, args: args})
	if err != nil {
		return "", err
	}
	if failed {
		return "", j.makeFailure(errs+"\n"+out, s.dir)
	}
	if s.name != "" {
		if program := filepath.Join(s.dir, s.name); prepare.IsFile(program) && isProgram(program) {
			return program, nil
		}
	}
	if len(goals) == 0 {
		goals = []string{r.goal}
	}
	return j.madeProgram(r, s.dir, goals)
}

func (j *job) makeFailure(text, dir string) error {
	f := j.compileFailure(text, dir)
	if _, what, ok := strings.Cut(text, "No rule to make target "); ok && !strings.Contains(text, "error:") {
		return fault.New(fault.BuildFailed, "make has no rule to make %s", firstLine(what)).
			WithHint("see whether the file is there, or mend the makefile")
	}
	return f
}

// madeProgram is the one program among what the goals are made of, else the one
// in the directory.
func (j *job) madeProgram(r *rules, dir string, goals []string) (string, error) {
	var found []string
	seen := map[string]bool{}
	for len(goals) > 0 {
		name := goals[0]
		goals = goals[1:]
		if seen[name] || name == "" {
			continue
		}
		seen[name] = true
		if path := prepare.Absolute(dir, name); prepare.IsFile(path) && isExecutable(path) {
			found = append(found, path)
			continue
		}
		goals = append(goals, r.needs[name]...)
	}
	if len(found) == 0 {
		found = executablesIn(dir)
	}
	switch len(found) {
	case 0:
		return "", fault.New(fault.InvalidTarget, "make made no program in %s", prepare.Show(j.Request, dir)).WithField("target").
			WithHint(`name the goal or the program, for example {"target":"./app"}, or {"build_args":["app"]}`)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, path := range found {
		names = append(names, prepare.Show(j.Request, path))
	}
	return "", ambiguous("target", fmt.Sprintf("make made %d programs", len(found)), names)
}

// executablesIn lists the programs in a directory and not far below it.
func executablesIn(dir string) []string {
	const depth = 3
	var found []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() {
			if rel, _ := filepath.Rel(dir, path); path != dir && (strings.HasPrefix(d.Name(), ".") || strings.Count(rel, string(filepath.Separator)) >= depth) {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && isExecutable(path) {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// isExecutable tells a program from an object file or a shared library.
func isExecutable(path string) bool {
	if !isProgram(path) {
		return false
	}
	f, err := openELF(path)
	if err != nil {
		return filepath.Ext(path) != ".o" && filepath.Ext(path) != ".dylib" && filepath.Ext(path) != ".dll"
	}
	defer f.Close()
	if f.Type == elf.ET_DYN { // a program that can lie anywhere has an interpreter, a library has none
		return slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	}
	return f.Type == elf.ET_EXEC
}
