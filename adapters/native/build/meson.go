package build

import (
	"context"
	"path/filepath"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

var mesonProject = pattern.New(`(?m)^\s*project\s*\(`)

// setUpMeson makes the build tree of a Meson project ready and reads what it can
// build. A tree that is up to date costs one quick run of Ninja.
func (j *job) setUpMeson(ctx context.Context, s site) (*tree, error) {
	ninja, ok := j.find("ninja", "ninja-build", "samu")
	if !ok {
		return nil, missingTool("ninja, with which Meson builds,", "install Ninja (on Debian: apt install ninja-build)")
	}
	t := &tree{tool: meson, path: ninja, source: prepare.Physical(topMeson(s.dir, j.Workspace))}
	own, _ := j.mesonArgs()
	if t.dir = j.mesonDebugTree(t.source); t.dir == "" || len(own) > 0 {
		var err error
		if t.dir, err = j.room(t.source, append([]string{"meson"}, own...)...); err != nil {
			return nil, err
		}
		t.own = true
	}
	j.progress("setting up " + prepare.Show(j.Request, t.source) + " with Meson")
	c := command{name: "ninja", path: ninja, dir: t.source, args: []string{"-C", t.dir, "build.ninja"}} // what has changed is set up anew
	at := t.dir                                                                                         // which paths in messages are relative to
	if !prepare.IsFile(filepath.Join(t.dir, "build.ninja")) {
		path, err := j.needTool("meson", "MESON", "install Meson (on Debian: apt install meson)", "meson")
		if err != nil {
			return nil, err
		}
		at = t.source
		c = command{name: "meson", path: path, dir: t.source, args: append([]string{"setup", t.dir, t.source, "--buildtype=debug"}, own...)}
	}
	out, errs, failed, err := j.run(ctx, c)
	if err != nil {
		return nil, err
	}
	if failed {
		return nil, j.mesonFailure(out+errs, at)
	}
	return t, t.readMeson()
}

// topMeson is the directory of the project: the nearest whose meson.build names one.
func topMeson(dir, workspace string) string {
	for d := dir; ; d = filepath.Dir(d) {
		text, err := boundedfile.ReadText(filepath.Join(d, "meson.build"))
		if err == nil && mesonProject.Match(text) {
			return d
		}
		if d == workspace && err != nil || d == filepath.Dir(d) {
			return dir
		}
	}
}

// mesonDebugTree finds a build tree that the user has made for debugging.
func (j *job) mesonDebugTree(source string) string {
	for _, dir := range j.buildDirectories(source) {
		var info struct {
			Directories struct{ Source, Build string } `json:"directories"`
		}
		var options []struct {
			Name  string `json:"name"`
			Value any    `json:"value"`
		}
		if readJSON(filepath.Join(dir, "meson-info", "meson-info.json"), &info) != nil ||
			readJSON(filepath.Join(dir, "meson-info", "intro-buildoptions.json"), &options) != nil {
			continue
		}
		if prepare.Physical(info.Directories.Source) != source || prepare.Physical(info.Directories.Build) != prepare.Physical(dir) {
			continue
		}
		debug, plain := false, false
		for _, o := range options {
			debug = debug || o.Name == "debug" && o.Value == true
			plain = plain || o.Name == "optimization" && (o.Value == "0" || o.Value == "g")
		}
		if debug && plain {
			return dir
		}
	}
	return ""
}

// mesonArgs divides build_args into those for setting up (-Dname=value, --wrap-mode=…)
// and those for Ninja.
func (j *job) mesonArgs() (setup, build []string) {
	for i := 0; i < len(j.BuildArgs); i++ {
		arg := j.BuildArgs[i]
		if !strings.HasPrefix(arg, "-D") && !strings.HasPrefix(arg, "--") {
			build = append(build, arg)
			continue
		}
		if setup = append(setup, arg); arg == "-D" && i+1 < len(j.BuildArgs) {
			i++
			setup = append(setup, j.BuildArgs[i])
		}
	}
	return setup, build
}

// readMeson takes the targets out of what Meson writes about them.
func (t *tree) readMeson() error {
	var targets []struct {
		Name       string   `json:"name"`
		Type       string   `json:"type"`
		Files      []string `json:"filename"`
		Subproject *string  `json:"subproject"`
		Parts      []struct {
			Sources []string `json:"sources"`
		} `json:"target_sources"`
	}
	if err := readJSON(filepath.Join(t.dir, "meson-info", "intro-targets.json"), &targets); err != nil {
		return err
	}
	for _, target := range targets {
		switch {
		case target.Subproject != nil:
		case target.Type != "executable" || len(target.Files) == 0:
			t.others = append(t.others, target.Name)
		default:
			e := executable{name: target.Name, program: target.Files[0]}
			for _, part := range target.Parts {
				for _, file := range part.Sources {
					e.sources = append(e.sources, prepare.Physical(file))
				}
			}
			t.executables = append(t.executables, e)
		}
	}
	return nil
}

func (j *job) mesonBuild(ctx context.Context, t *tree, list []executable, anew bool) error {
	_, own := j.mesonArgs()
	if anew {
		if _, _, _, err := j.run(ctx, command{name: "ninja", path: t.path, dir: t.source, args: []string{"-C", t.dir, "-t", "clean"}}); err != nil {
			return err
		}
	}
	args := []string{"-C", t.dir}
	for _, e := range list {
		rel, err := filepath.Rel(t.dir, e.program)
		if err != nil {
			return err
		}
		args = append(args, rel)
	}
	out, errs, failed, err := j.run(ctx, command{name: "ninja", path: t.path, dir: t.source, args: append(args, own...)})
	if err != nil {
		return err
	}
	if failed {
		return j.compileFailure(errs+"\n"+out, t.dir)
	}
	return nil
}

// mesonTests lists the tests of a build tree.
func (t *tree) mesonTests() ([]registered, error) {
	var tests []struct {
		Name    string            `json:"name"`
		Command []string          `json:"cmd"`
		Dir     string            `json:"workdir"`
		Env     map[string]string `json:"env"`
	}
	if err := readJSON(filepath.Join(t.dir, "meson-info", "intro-tests.json"), &tests); err != nil {
		return nil, err
	}
	var list []registered
	for _, test := range tests {
		dir := test.Dir
		if dir == "" {
			dir = t.dir
		}
		list = append(list, registered{test.Name, test.Command, dir, test.Env})
	}
	return list, nil
}

// mesonFailure explains why a project could not be set up.
func (j *job) mesonFailure(text, dir string) error {
	f := prepare.BuildFailure(compileErrors(text, j.resolveIn(dir)), text)
	remedy := missingFramework(text)
	switch {
	case remedy != "":
		return f.WithHint("%s", remedy)
	case strings.Contains(text, "Unknown compiler"):
		return f.WithHint("Meson found no compiler that works: install gcc or clang (on Debian: apt install g++), or set CC and CXX")
	case strings.Contains(text, "Dependency ") && strings.Contains(text, "not found"):
		return f.WithHint("a library is missing: install its development package, or say where its .pc file is with env {\"PKG_CONFIG_PATH\":…}")
	case strings.Contains(text, "Could not find") || strings.Contains(text, "not found"):
		return f.WithHint("what it names is missing on this machine: install it, or turn off the part that needs it with build_args")
	case strings.Contains(text, "Unknown options"):
		return f.WithHint("see meson_options.txt or meson.options for the names")
	}
	return f.WithHint("mend meson.build, then start again")
}
