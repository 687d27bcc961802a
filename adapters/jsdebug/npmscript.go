package jsdebug

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/project/npmscript"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/source"
)

// Where a module is named it is a script of a package: what the script starts is
// debugged, as npm run would start it.

// packageWanted is the package whose script a request means.
func packageWanted(r adapters.Request) string {
	if r.Target == "" {
		return r.Workspace
	}
	return prepare.Physical(prepare.Locate(r, r.Target))
}

// claimScript is hopeful about a package that has no such script: it can say which
// there are.
func claimScript(r adapters.Request) int {
	dir := packageWanted(r)
	if _, has := readManifest(dir).Scripts[r.Module]; has {
		return 65
	}
	if prepare.Exists(filepath.Join(dir, manifestName)) {
		return 20
	}
	return 0
}

// findScript finds what a script starts, which is its last command: those before
// it prepare what it needs.
func (j job) findScript() (started, error) {
	dir := packageWanted(j.Request)
	m := readManifest(dir)
	if _, has := m.Scripts[j.Module]; !has {
		return started{}, j.noScript(dir, m)
	}
	list := m.Scripts.Commands(j.Module)
	if len(list) == 0 {
		return started{}, fault.New(fault.InvalidTarget, "the script %q starts nothing that is known to run in node: %s", j.Module, m.Scripts[j.Module]).
			WithField("module").WithHint("give the file that is to be run as target")
	}
	c := list[len(list)-1]
	s, err := j.findCommand(dir, c)
	if err != nil {
		return started{}, err
	}
	s.target, s.home = prepare.Show(j.Request, filepath.Join(dir, manifestName))+", script "+j.Module, dir
	if len(list) > 1 {
		s.warnings = append(s.warnings, "of the script only its last command is run: "+m.Scripts[j.Module])
	}
	s.launch.Args = append(slices.Clone(c.Args), j.Args...)
	s.launch.Env = maps.Clone(s.launch.Env)
	if s.launch.Env == nil {
		s.launch.Env = map[string]string{}
	}
	for name, value := range c.Env {
		if _, asked := j.set[name]; !asked {
			s.launch.Env[name] = value
		}
	}
	return s, nil
}

// ownMaps are where source maps are read: those of a framework itself would show its
// frames as the user's, and node would wait for each. Vite compiles its configuration
// among the packages.
var ownMaps = []string{"**", "!**/node_modules/**", "**/node_modules/.vite-temp/**"}

// findCommand finds node with the file of a command, or with the program of an
// installed package. What such a program serves is compiled as it is asked for, and
// runs at once: node waits until breakpoints are where its source map says.
func (j job) findCommand(dir string, c npmscript.Command) (s started, err error) {
	workdir := dir // as npm does
	if j.Cwd != "" {
		if workdir, err = prepare.Workdir(j.Request, dir); err != nil {
			return s, err
		}
	}
	if c.File == "" {
		w := way{}
		if w.program, err = j.toolOf(dir, c.Tool); err != nil {
			return s, err
		}
		s.launch = j.launch(w, workdir)
		s.launch.PauseForSourceMap = true
		if s.launch.ResolveSourceMapLocations == nil {
			s.launch.ResolveSourceMapLocations = ownMaps
		}
		return s, nil
	}
	file := filepath.Join(dir, filepath.FromSlash(c.File))
	if !prepare.Exists(file) && prepare.Exists(file+".js") {
		file += ".js"
	}
	if !prepare.Exists(file) {
		return s, j.missingFile(file)
	}
	w, err := j.wayOf(prepare.Physical(file))
	if err != nil {
		return s, err
	}
	w.runtimeArgs = slices.Concat(w.runtimeArgs, c.NodeArgs)
	return started{launch: j.launch(w, workdir), warnings: w.warnings}, nil
}

// toolOf is the file of the program that a package, or one that it asks for, has
// installed under a name.
func (j job) toolOf(dir, tool string) (string, error) {
	for _, at := range []string{dir, monorepo(dir)} {
		if at == "" {
			continue
		}
		m := readManifest(at)
		names := append([]string{tool}, slices.Sorted(maps.Keys(m.Dependencies))...)
		for _, name := range append(names, slices.Sorted(maps.Keys(m.DevDependencies))...) {
			home := installedPackage(at, name)
			if file := readManifest(home).binNamed(tool); home != "" && file != "" {
				return filepath.Join(home, filepath.FromSlash(file)), nil
			}
		}
	}
	return "", fault.New(fault.InvalidTarget, "%s, which the script %q starts, is not installed in %s", tool, j.Module, prepare.Show(j.Request, dir)).
		WithField("module").WithHint("run %s in %s", installCommand(dir), prepare.Show(j.Request, dir))
}

// binNamed is a program of a package by its name, empty when there is none.
func (m manifest) binNamed(name string) string {
	var one string
	if json.Unmarshal(m.Bin, &one) == nil {
		if _, last, _ := strings.Cut(m.Name, "/"); m.Name == name || last == name {
			return one
		}
		return ""
	}
	var many map[string]string
	_ = json.Unmarshal(m.Bin, &many)
	return many[name]
}

func (j job) noScript(dir string, m manifest) error {
	names := slices.Sorted(maps.Keys(m.Scripts))
	f := fault.New(fault.InvalidParam, "%s has no script %q", prepare.Show(j.Request, filepath.Join(dir, manifestName)), j.Module).WithField("module")
	if like := source.Closest(j.Module, names, 3); len(like) > 0 {
		return f.WithHint("did you mean %s?", quoteNames(like, " or ")).WithDetails(prepare.Candidates{Candidates: like})
	}
	if len(names) == 0 {
		return f.WithHint("give the file that is to be run as target, without module")
	}
	return f.WithHint("the scripts are %s", quoteNames(names[:min(len(names), 20)], ", "))
}
