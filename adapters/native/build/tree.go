package build

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// tree is a build tree of CMake or Meson: one of the user's that is for debugging,
// else one of our own outside of the source.
type tree struct {
	tool        tool
	path        string // of the tool
	source, dir string
	own         bool   // it is one of ours
	config      string // the configuration that is built: "Debug"
	executables []executable
	others      []string // targets that are no programs
}

// executable is a program that can be built in a tree.
type executable struct {
	name, program string // program is absolute
	sources       []string
}

// registered is a test as the build tool knows it: how it is run, where, and in
// which environment.
type registered struct {
	name    string
	command []string
	dir     string // empty: not said
	env     map[string]string
}

// buildInTree builds one program of a project of CMake or Meson.
func (j *job) buildInTree(ctx context.Context, s site) (Product, error) {
	t, release, err := j.openTree(ctx, s)
	if err != nil {
		return Product{}, err
	}
	defer release()
	e, err := j.chooseExecutable(t, s)
	if err != nil || e == nil {
		if err == nil { // the file belongs to no target
			s.tool, s.dir = compiler, filepath.Dir(s.file)
			return j.buildSingle(ctx, s)
		}
		return Product{}, err
	}
	if err := j.buildTargets(ctx, t, *e); err != nil {
		return Product{}, err
	}
	if err := j.needDebugInfo(e.program, t.tool.String(), t.tool.debugInfoRemedy()); err != nil {
		return Product{}, err
	}
	dir, err := j.workdir(j.workspaceOr(s.dir))
	return Product{
		Program: e.program, Args: j.Args, Dir: dir, Modules: []string{t.source}, Entry: "main",
		Target:   fmt.Sprintf("%s of %s", e.name, prepare.Show(j.Request, t.source)),
		Warnings: t.warnings(),
	}, err
}

// openTree configures the project; nobody else builds it until release.
func (j *job) openTree(ctx context.Context, s site) (t *tree, release func(), err error) {
	if release, err = j.alone(ctx, s.dir); err != nil {
		return nil, nil, err
	}
	if s.tool == meson {
		t, err = j.setUpMeson(ctx, s)
	} else {
		t, err = j.configure(ctx, s)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return t, release, nil
}

// buildTargets builds programs of a tree; none are all that is built by default.
func (j *job) buildTargets(ctx context.Context, t *tree, list ...executable) error {
	what := prepare.Show(j.Request, t.source)
	if len(list) > 0 {
		what = list[0].name
	}
	j.progress("building " + what)
	return j.buildOf(ctx, t, func(anew bool) error {
		if t.tool == meson {
			return j.mesonBuild(ctx, t, list, anew)
		}
		return j.cmakeBuild(ctx, t, list, anew)
	})
}

// registeredTests are the tests that the build tool knows. A project without any has none.
func (j *job) registeredTests(ctx context.Context, t *tree) ([]registered, error) {
	if t.tool == meson {
		return t.mesonTests()
	}
	return j.ctests(ctx, t)
}

func (t *tree) warnings() []string {
	if t.config != "" && !strings.EqualFold(t.config, "Debug") {
		return []string{fmt.Sprintf("built as %s, not as Debug: variables may be missing and lines may be out of order", t.config)}
	}
	return nil
}

// chooseExecutable picks the program that the request means; none when the file
// that was named belongs to no target.
func (j *job) chooseExecutable(t *tree, s site) (*executable, error) {
	var names []string
	for i, e := range t.executables {
		if s.name == e.name || s.name != "" && s.name == filepath.Base(e.program) {
			return &t.executables[i], nil
		}
		names = append(names, e.name)
	}
	where := prepare.Show(j.Request, t.source)
	switch {
	case s.name != "" && slices.Contains(t.others, s.name):
		f := fault.New(fault.InvalidTarget, "the target %s of %s is no program", s.name, where).WithField("target")
		if len(names) == 0 {
			return nil, f.WithHint(`it has none as it is configured; options of the project may turn some on, for example {"build_args":["-DNAME=VALUE"]}`)
		}
		return nil, f.WithHint("its programs are %s", strings.Join(names, ", ")).WithDetails(prepare.Candidates{Candidates: names})
	case s.name != "":
		return nil, unknownTarget(s.name, where, names, source.Closest(s.name, names, 3))
	case s.file != "":
		return j.executableOf(t, s.file)
	}
	near := slices.DeleteFunc(slices.Clone(t.executables), func(e executable) bool {
		return !slices.ContainsFunc(e.sources, func(file string) bool { return prepare.Inside(prepare.Physical(s.dir), file) })
	})
	if len(near) == 0 {
		near = t.executables
	}
	switch len(near) {
	case 0:
		return nil, fault.New(fault.InvalidTarget, "%s has no program: its targets are %s", where, strings.Join(append(t.others, "none")[:max(len(t.others), 1)], ", ")).
			WithField("target").WithHint("add an executable that uses the library, or give the binary of one with mode exec")
	case 1:
		return &near[0], nil
	}
	names = nil
	for _, e := range near {
		names = append(names, e.name)
	}
	return nil, ambiguous("module", fmt.Sprintf("%s has %d programs", where, len(near)), names)
}

// executableOf is the program that a source file is part of; none when it is of none.
func (j *job) executableOf(t *tree, file string) (*executable, error) {
	found := t.executablesWith(file)
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return &found[0], nil
	}
	var names []string
	for _, e := range found {
		names = append(names, e.name)
	}
	return nil, ambiguous("module", fmt.Sprintf("%s is part of %d programs", j.show(file), len(found)), names)
}

// executablesWith are the programs that a source file is part of.
func (t *tree) executablesWith(file string) []executable {
	return slices.DeleteFunc(slices.Clone(t.executables), func(e executable) bool {
		return !slices.Contains(e.sources, prepare.Physical(file))
	})
}
