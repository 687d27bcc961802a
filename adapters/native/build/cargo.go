package build

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// buildCargo builds a target of a Cargo package: a program, or tests.
func (j *job) buildCargo(ctx context.Context, s site, testing bool) (Product, error) {
	path, err := j.needTool("cargo", "CARGO", getRust, "cargo")
	if err != nil {
		return Product{}, err
	}
	m, err := j.metadata(ctx, path, s.dir)
	if err != nil {
		return Product{}, err
	}
	if s.file != "" && !m.owns(s.file) { // a lone file below some package
		s.tool, s.dir = compiler, filepath.Dir(s.file)
		if testing {
			return j.testSingle(ctx, s)
		}
		return j.buildSingle(ctx, s)
	}
	if testing {
		return j.cargoTest(ctx, path, m, s)
	}
	return j.cargoProgram(ctx, path, m, s)
}

// owns says whether a file belongs to one of the workspace's packages: it is a
// target, or a module beside one.
func (m *metadata) owns(file string) bool {
	return m.owner(file) != nil
}

func (m *metadata) owner(file string) *cargoPackage {
	file = prepare.Physical(file)
	var owner *cargoPackage
	for i, p := range m.Packages {
		for _, t := range p.Targets {
			inside := t.kind() != "custom-build" && prepare.Inside(filepath.Dir(t.Source), file)
			if t.Source == file || inside && filepath.Dir(t.Source) != p.dir() {
				if owner == nil || len(p.Manifest) > len(owner.Manifest) {
					owner = &m.Packages[i]
				}
			}
		}
	}
	return owner
}

// cargoProgram is for a bin or an example.
func (j *job) cargoProgram(ctx context.Context, cargo string, m *metadata, s site) (Product, error) {
	t, err := j.chooseProgram(m, s)
	if err != nil {
		return Product{}, err
	}
	args, manifest := []string{"build"}, filepath.Join(s.dir, "Cargo.toml")
	if t != nil {
		args, manifest = append(args, t.flags()...), t.pkg.Manifest
	}
	j.progress("building " + j.show(manifest))
	made, linked, err := j.runCargo(ctx, cargo, manifest, args)
	if err != nil {
		return Product{}, err
	}
	made = slices.DeleteFunc(made, func(a artifact) bool {
		return a.Profile.Test || t != nil && a.Target.Name != t.Name
	})
	if len(made) == 0 {
		return Product{}, fault.New(fault.InvalidTarget, "cargo built no program").WithField("build_args").
			WithHint(`choose one, for example {"build_args":["--bin","NAME"]}`)
	}
	if len(made) > 1 {
		var names []string
		for _, a := range made {
			names = append(names, a.Target.Name)
		}
		return Product{}, ambiguous("module", fmt.Sprintf("cargo built %d programs", len(made)), names)
	}
	a := made[0]
	dir, err := j.workdir(j.workspaceOr(filepath.Dir(a.Manifest)))
	return Product{
		Program: a.Executable, Args: j.Args, Dir: dir, Modules: []string{m.Root},
		Env:      j.cargoEnvironment(m, a, linked),
		Entry:    crateName(a.Target.Name) + "::main",
		Target:   fmt.Sprintf("%s %s of %s", a.Target.kind(), a.Target.Name, prepare.Show(j.Request, filepath.Dir(a.Manifest))),
		Warnings: j.cargoWarnings(),
	}, err
}

// chooseProgram picks the bin or example that the request means; nil leaves the
// choice to build_args.
func (j *job) chooseProgram(m *metadata, s site) (*chosen, error) {
	members := m.members(s.dir)
	where := prepare.Show(j.Request, s.dir)
	if s.file != "" {
		return j.programOfFile(m, s.file)
	}
	if s.name != "" {
		all := append(targets(members, "bin", "example"), targets(m.Packages, "bin", "example")...)
		if i := slices.IndexFunc(all, func(c chosen) bool { return c.Name == s.name }); i >= 0 {
			return &all[i], nil
		}
		for _, p := range m.Packages {
			if p.Name == s.name {
				return j.onlyProgram([]cargoPackage{p}, m, p.Name)
			}
		}
		names := namesOf(all)
		return nil, unknownTarget(s.name, where, names, source.Closest(s.name, names, 3))
	}
	if j.selects("--bin", "--bins", "--example", "--examples", "-p", "--package", "--all-targets") {
		return nil, nil
	}
	return j.onlyProgram(members, m, where)
}

func (j *job) programOfFile(m *metadata, file string) (*chosen, error) {
	for _, c := range targets(m.Packages, "bin", "example", "test", "bench") {
		if prepare.Physical(c.Source) != prepare.Physical(file) {
			continue
		}
		if c.kind() == "test" || c.kind() == "bench" {
			return nil, fault.New(fault.InvalidTarget, "%s is a test, not a program", j.show(file)).WithField("target").
				WithHint(`debug it with {"target":%q,"mode":"test"}`, cmp.Or(j.Target, file))
		}
		return &c, nil
	}
	p := m.owner(file)
	return j.onlyProgram([]cargoPackage{*p}, m, prepare.Show(j.Request, p.dir()))
}

// onlyProgram is the one program of the packages, or cargo's default.
func (j *job) onlyProgram(packages []cargoPackage, m *metadata, where string) (*chosen, error) {
	bins := targets(packages, "bin")
	for _, c := range bins {
		if c.pkg.DefaultRun == c.Name {
			return &c, nil
		}
	}
	switch len(bins) {
	case 1:
		return &bins[0], nil
	case 0:
		return nil, j.noProgram(packages, m, where)
	}
	return nil, ambiguous("module", fmt.Sprintf("%s has %d programs", where, len(bins)), namesOf(bins))
}

// noProgram is the error for a library.
func (j *job) noProgram(packages []cargoPackage, m *metadata, where string) error {
	f := fault.New(fault.InvalidTarget, "%s is a library: it has no program to run", where).WithField("target")
	if examples := targets(packages, "example"); len(examples) > 0 {
		return f.WithHint(`run one of its examples: {"module":%q}`, examples[0].Name).WithDetails(prepare.Candidates{Candidates: namesOf(examples)})
	}
	if others := targets(m.Packages, "bin", "example"); len(others) > 0 {
		return f.WithHint("programs of the workspace: %s (give the name as module)", strings.Join(namesOf(others), ", ")).
			WithDetails(prepare.Candidates{Candidates: namesOf(others)})
	}
	return f.WithHint(`debug its tests: {"target":%q,"mode":"test"}`, cmp.Or(j.Target, "."))
}

func namesOf(list []chosen) []string {
	var names []string
	for _, c := range list {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// selects says whether build_args has one of the flags.
func (j *job) selects(flags ...string) bool {
	return slices.ContainsFunc(j.BuildArgs, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return slices.Contains(flags, name)
	})
}

// artifact is what cargo says of something it made.
type artifact struct {
	Reason     string      `json:"reason"`
	Manifest   string      `json:"manifest_path"`
	Target     cargoTarget `json:"target"`
	Executable string      `json:"executable"`
	Profile    struct {
		Test bool   `json:"test"`
		Opt  string `json:"opt_level"`
	} `json:"profile"`
	LinkedPaths []string     `json:"linked_paths"`
	Message     rustcMessage `json:"message"`
}

// runCargo builds and returns the executables, and where build scripts found
// shared libraries.
func (j *job) runCargo(ctx context.Context, cargo, manifest string, args []string) (made []artifact, linked []string, err error) {
	var found []prepare.CompileError
	var plain strings.Builder
	dir, count := filepath.Dir(manifest), 0
	root := dir
	args = append(args, "--message-format=json", "--color=never", "--manifest-path", manifest)
	args = append(args, j.BuildArgs...)
	stderr, failed, err := j.stream(ctx, command{
		name: "cargo", path: cargo, dir: root, args: args, env: j.profileEnvironment(),
	}, func(line []byte) {
		var a artifact
		if json.Unmarshal(line, &a) != nil {
			return
		}
		switch a.Reason {
		case "compiler-artifact":
			if count++; a.Executable != "" && a.Target.kind() != "custom-build" {
				made = append(made, a)
			}
			j.progress(fmt.Sprintf("building %s: %d crates done", j.show(dir), count))
		case "build-script-executed":
			linked = append(linked, a.LinkedPaths...)
		case "compiler-message":
			if e, ok := a.Message.compileError(j.resolveIn(j.sourceRoot(dir, a.Message))); ok && !slices.Contains(found, e) {
				found = append(found, e)
			} else if a.Message.Level == "error" && !ok {
				plain.WriteString(a.Message.Rendered)
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	if failed {
		return nil, nil, j.cargoFailure(found, plain.String()+stderr, dir)
	}
	return made, linked, nil
}

// sourceRoot is the directory that the compiler's paths are relative to: the
// workspace's, which is the package's or one above it.
func (j *job) sourceRoot(dir string, m rustcMessage) string {
	for _, span := range m.Spans {
		if span.Primary && !filepath.IsAbs(span.File) {
			for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
				if prepare.IsFile(filepath.Join(d, span.File)) {
					return d
				}
			}
		}
	}
	return dir
}

// profileEnvironment makes cargo's profile one for debugging, whatever the
// manifest says; what the user sets himself wins.
func (j *job) profileEnvironment() map[string]string {
	profile, optimised := j.profile()
	set := map[string]string{}
	for _, name := range []string{profile, "TEST"} {
		prefix := "CARGO_PROFILE_" + name + "_"
		set[prefix+"DEBUG"], set[prefix+"STRIP"] = "2", "none"
		if !optimised {
			set[prefix+"OPT_LEVEL"] = "0"
		}
	}
	for name := range set {
		if prepare.Lookup(j.env, name) != "" {
			delete(set, name)
		}
	}
	return set
}

// profile is the profile that build_args choose, as cargo's variables have it.
func (j *job) profile() (name string, optimised bool) {
	for i, arg := range j.BuildArgs {
		value, ok := strings.CutPrefix(arg, "--profile=")
		if arg == "--profile" && i+1 < len(j.BuildArgs) {
			value, ok = j.BuildArgs[i+1], true
		}
		if ok && value != "dev" && value != "test" {
			return strings.ToUpper(strings.ReplaceAll(value, "-", "_")), true
		}
		if arg == "--release" || arg == "-r" {
			return "RELEASE", true
		}
	}
	return "DEV", false
}

func (j *job) cargoWarnings() []string {
	if name, optimised := j.profile(); optimised {
		return []string{fmt.Sprintf("built with the profile %s: variables may be missing and lines may be out of order", strings.ToLower(name))}
	}
	return nil
}

// cargoEnvironment is what cargo sets for the programs it runs.
func (j *job) cargoEnvironment(m *metadata, a artifact, linked []string) map[string]string {
	set := map[string]string{"CARGO_MANIFEST_DIR": filepath.Dir(a.Manifest)}
	for _, p := range m.Packages {
		if p.Manifest == a.Manifest {
			set["CARGO_PKG_NAME"], set["CARGO_PKG_VERSION"] = p.Name, p.Version
		}
	}
	var paths []string
	for _, path := range linked {
		if _, after, ok := strings.Cut(path, "="); ok {
			path = after // native=/path
		}
		if prepare.Inside(m.Output, path) {
			paths = append(paths, path)
		}
	}
	beside := filepath.Dir(a.Executable)
	paths = append(paths, beside, filepath.Join(beside, "deps"))
	variable := map[string]string{"darwin": "DYLD_FALLBACK_LIBRARY_PATH", "windows": "PATH"}[runtime.GOOS]
	variable = cmp.Or(variable, "LD_LIBRARY_PATH")
	if now := prepare.Lookup(j.env, variable); now != "" {
		paths = append(paths, now)
	}
	set[variable] = strings.Join(paths, string(filepath.ListSeparator))
	return set
}
