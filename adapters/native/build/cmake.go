package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/text/pattern"
)

// configure makes the build tree ready and reads what it can build. A tree that
// is up to date costs one quick run of cmake.
func (j *job) configure(ctx context.Context, s site) (*tree, error) {
	path, err := j.needTool("cmake", "CMAKE", "install CMake (on Debian: apt install cmake)", "cmake")
	if err != nil {
		return nil, err
	}
	t := &tree{tool: cmake, path: path, source: prepare.Physical(topCMake(s.dir, j.Workspace))}
	var args []string
	if t.dir = j.debugTree(t.source); t.dir == "" || j.o.Sanitizer != "" {
		own, _ := j.cmakeArgs()
		if t.dir, err = j.room(t.source, append(own[:len(own):len(own)], j.sanitizedRoom()...)...); err != nil {
			return nil, err
		}
		t.own = true
		args = []string{"-S", t.source, "-B", t.dir}
		if !slices.ContainsFunc(own, func(a string) bool { return strings.HasPrefix(a, "-DCMAKE_BUILD_TYPE") }) {
			args = append(args, "-DCMAKE_BUILD_TYPE=Debug")
		}
		args = append(args, own...)
	} else {
		own, _ := j.cmakeArgs()
		args = append([]string{"-S", t.source, "-B", t.dir}, own...)
	}
	query := filepath.Join(t.dir, ".cmake", "api", "v1", "query", "client-aidb-mcp", "query.json")
	if err := writeFile(query, `{"requests":[{"kind":"codemodel","version":2}]}`); err != nil {
		return nil, fmt.Errorf("asking CMake for its targets: %w", err)
	}
	j.progress("configuring " + prepare.Show(j.Request, t.source) + " with CMake")
	out, errs, failed, err := j.run(ctx, command{name: "cmake", path: path, dir: t.source, args: args})
	if err != nil {
		return nil, err
	}
	if failed {
		return nil, j.cmakeFailure(errs+out, t.source)
	}
	return t, t.read()
}

// topCMake is the outermost directory of the project: the highest that has a
// CMakeLists.txt with a project command, inside of the workspace. A directory that
// names no project is included by one above, also across directories without such a
// file; so may be the workspace itself.
func topCMake(dir, workspace string) string {
	top, named, above := dir, false, workspace == ""
	for d := dir; ; d = filepath.Dir(d) {
		text, err := boundedfile.ReadText(filepath.Join(d, "CMakeLists.txt"))
		if err != nil && (named || above) {
			break
		}
		if err == nil && projectCommand.Match(text) {
			top, named = d, true
		}
		above = above || d == workspace
		if d == workspace && (named || err != nil) || d == filepath.Dir(d) {
			break
		}
	}
	return top
}

var projectCommand = pattern.New(`(?im)^\s*project\s*\(`)

// debugTree finds a build tree that the user has made for debugging.
func (j *job) debugTree(source string) string {
	for _, dir := range j.buildDirectories(source) {
		text, err := boundedfile.ReadText(filepath.Join(dir, "CMakeCache.txt"))
		if err != nil {
			continue
		}
		cache := string(text)
		if strings.EqualFold(cacheEntry(cache, "CMAKE_BUILD_TYPE"), "Debug") &&
			prepare.Physical(cacheEntry(cache, "CMAKE_HOME_DIRECTORY")) == source &&
			prepare.Physical(cacheEntry(cache, "CMAKE_CACHEFILE_DIR")) == prepare.Physical(dir) {
			return dir
		}
	}
	return ""
}

// buildDirectories are those in which users build what lies in a directory.
func (j *job) buildDirectories(source string) (dirs []string) {
	for _, pattern := range []string{"build", "build/*", "cmake-build-*", "build-*", "builddir", "out/*", "out/build/*", "_build", "../build"} {
		found, _ := filepath.Glob(filepath.Join(source, filepath.FromSlash(pattern)))
		dirs = append(dirs, found...)
	}
	if j.o.Within != "" {
		dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !prepare.Inside(prepare.Physical(j.o.Within), prepare.Physical(dir)) })
	}
	return dirs
}

// cacheEntry is an entry of a CMakeCache.txt.
func cacheEntry(cache, name string) string {
	for line := range strings.Lines(cache) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			_, value, _ := strings.Cut(rest, "=")
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// cmakeArgs divides build_args into those for configuring (-DNAME=value, -G, …)
// and those for building.
func (j *job) cmakeArgs() (configure, build []string) {
	for i := 0; i < len(j.BuildArgs); i++ {
		arg := j.BuildArgs[i]
		if !slices.ContainsFunc([]string{"-D", "-U", "-G", "-T", "-A", "-C", "--preset", "--toolchain"}, func(flag string) bool { return strings.HasPrefix(arg, flag) }) {
			build = append(build, arg)
			continue
		}
		configure = append(configure, arg)
		if len(arg) == 2 && i+1 < len(j.BuildArgs) {
			i++
			configure = append(configure, j.BuildArgs[i])
		}
	}
	return configure, build
}

// read takes the targets out of the newest reply of CMake's file API.
func (t *tree) read() error {
	reply := filepath.Join(t.dir, ".cmake", "api", "v1", "reply")
	var index struct {
		Reply map[string]struct {
			Query struct {
				Responses []struct {
					Kind string `json:"kind"`
					File string `json:"jsonFile"`
				} `json:"responses"`
			} `json:"query.json"`
		} `json:"reply"`
	}
	indexes, _ := filepath.Glob(filepath.Join(reply, "index-*.json"))
	if len(indexes) == 0 {
		return fault.New(fault.BuildFailed, "CMake did not say what it can build").WithHint("CMake 3.14 or newer is needed")
	}
	slices.Sort(indexes)
	if err := readJSON(indexes[len(indexes)-1], &index); err != nil {
		return err
	}
	for _, r := range index.Reply["client-aidb-mcp"].Query.Responses {
		if r.Kind == "codemodel" {
			return t.readModel(reply, r.File)
		}
	}
	return fault.New(fault.BuildFailed, "CMake did not say what it can build").WithHint("CMake 3.14 or newer is needed")
}

func (t *tree) readModel(reply, file string) error {
	var model struct {
		Configurations []struct {
			Name    string `json:"name"`
			Targets []struct {
				Name string `json:"name"`
				File string `json:"jsonFile"`
			} `json:"targets"`
		} `json:"configurations"`
	}
	if err := readJSON(filepath.Join(reply, file), &model); err != nil {
		return err
	}
	if len(model.Configurations) == 0 {
		return nil
	}
	config := model.Configurations[0]
	for _, c := range model.Configurations {
		if strings.EqualFold(c.Name, "Debug") {
			config = c
		}
	}
	t.config = config.Name
	for _, target := range config.Targets {
		e, kind, err := t.readTarget(filepath.Join(reply, target.File))
		switch {
		case err != nil:
			return err
		case kind == "EXECUTABLE" && e.program != "":
			t.executables = append(t.executables, e)
		default:
			t.others = append(t.others, target.Name)
		}
	}
	return nil
}

func (t *tree) readTarget(file string) (executable, string, error) {
	var target struct {
		Name      string `json:"name"`
		Type      string `json:"type"`
		Artifacts []struct {
			Path string `json:"path"`
		} `json:"artifacts"`
		Sources []struct {
			Path string `json:"path"`
		} `json:"sources"`
	}
	if err := readJSON(file, &target); err != nil {
		return executable{}, "", err
	}
	e := executable{name: target.Name}
	if len(target.Artifacts) > 0 {
		e.program = prepare.Absolute(t.dir, target.Artifacts[0].Path)
	}
	for _, s := range target.Sources {
		e.sources = append(e.sources, prepare.Physical(prepare.Absolute(t.source, s.Path)))
	}
	return e, target.Type, nil
}

// cmakeBuild builds programs; none are all targets.
func (j *job) cmakeBuild(ctx context.Context, t *tree, list []executable, anew bool) error {
	_, own := j.cmakeArgs()
	args := []string{"--build", t.dir, "--parallel"}
	if anew {
		args = append(args, "--clean-first")
	}
	if t.config != "" {
		args = append(args, "--config", t.config)
	}
	for _, e := range list {
		args = append(args, "--target", e.name)
	}
	out, errs, failed, err := j.run(ctx, command{name: "cmake --build", path: t.path, dir: t.source, args: append(args, own...)})
	if err != nil {
		return err
	}
	if failed {
		return j.compileFailure(errs+"\n"+out, t.dir)
	}
	return nil
}

// cmakeFailure explains why a project could not be configured.
func (j *job) cmakeFailure(text, dir string) error {
	found := compileErrors(text, j.resolveIn(dir))
	f := prepare.BuildFailure(found, text)
	remedy := missingFramework(text)
	switch {
	case remedy != "":
		return f.WithHint("%s", remedy)
	case strings.Contains(text, "CMAKE_CXX_COMPILER") || strings.Contains(text, "CMAKE_C_COMPILER"):
		return f.WithHint("CMake found no compiler that works: install gcc or clang (on Debian: apt install g++), or set CC and CXX")
	case strings.Contains(text, "Could NOT find") || strings.Contains(text, "Could not find a package"):
		return f.WithHint(`a library is missing: install it, or say where it is, for example {"build_args":["-DCMAKE_PREFIX_PATH=/opt/lib"]}`)
	case strings.Contains(text, "CMAKE_MAKE_PROGRAM"):
		return f.WithHint("CMake found no build program: install make or ninja")
	}
	return f.WithHint("mend CMakeLists.txt, then start again")
}

func readJSON(file string, into any) error {
	text, err := boundedfile.ReadText(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("reading what CMake can build: %w", err)
	}
	return nil
}

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
