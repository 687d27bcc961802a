package java

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/boundedfile"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// oldest is the first version of Java that is supported.
const oldest = 17

const installJDK = "install a JDK %d or newer (Debian: `apt install openjdk-17-jdk-headless`), or give its java with runtime_path"

// jdk is one installed Java.
type jdk struct {
	home    string
	java    string // the command
	version string // "17.0.15"
	major   int
}

// tool is the path of a command of the JDK, empty when it has none.
func (k jdk) tool(name string) string {
	path := filepath.Join(k.home, "bin", command(name))
	if !prepare.Exists(path) {
		return ""
	}
	return path
}

func command(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// complete says that it can compile and debug, which a mere runtime cannot.
func (k jdk) complete() bool { return k.tool("javac") != "" }

// javas are the two that a session needs; mostly they are one.
type javas struct {
	program jdk // runs the program
	tools   jdk // compiles, and runs the bridge
}

// javas finds them: by runtime_path, what the workspace asks for, JAVA_HOME, PATH and
// the usual places.
func (a *adapter) javas(ctx context.Context, r adapters.Request, env []string) (javas, error) {
	program, err := a.program(ctx, r, env)
	if err != nil {
		return javas{}, err
	}
	if program.major < oldest {
		return javas{}, fault.New(fault.InvalidTarget, "Java %s in %s is too old: debugging needs %d or newer", program.version, program.home, oldest).
			WithField("runtime_path").WithHint(installJDK, oldest)
	}
	if program.complete() {
		return javas{program, program}, nil
	}
	for _, home := range a.homes(env) {
		if tools, err := a.look(ctx, filepath.Join(home, "bin", command("java")), env); err == nil && tools.major >= oldest && tools.complete() {
			return javas{program, tools}, nil
		}
	}
	return javas{}, fault.New(fault.AdapterNotFound, "%s is only a Java runtime: there is no javac, and debugging needs a whole JDK", program.home).
		WithField("runtime_path").WithHint(installJDK, oldest)
}

// program finds the Java that runs the program.
func (a *adapter) program(ctx context.Context, r adapters.Request, env []string) (jdk, error) {
	if r.RuntimePath != "" {
		path := prepare.Locate(r, r.RuntimePath)
		if !strings.ContainsRune(r.RuntimePath, filepath.Separator) {
			if found, err := exec.LookPath(r.RuntimePath); err == nil && !prepare.Exists(path) {
				path = found
			}
		}
		switch {
		case !prepare.Exists(path):
			return jdk{}, fault.New(fault.InvalidParam, "runtime_path %s does not exist", prepare.Show(r, path)).WithField("runtime_path").
				WithHint("give the java command or the directory of a JDK, for example /usr/lib/jvm/java-17-openjdk-amd64")
		case prepare.IsDir(path):
			path = filepath.Join(path, "bin", command("java"))
		}
		found, err := a.look(ctx, path, env)
		if err != nil {
			return jdk{}, fault.New(fault.InvalidParam, "runtime_path %s is no Java: %w", prepare.Show(r, path), err).WithField("runtime_path").
				WithHint("give the java command or the directory of a JDK, for example /usr/lib/jvm/java-17-openjdk-amd64")
		}
		return found, nil
	}
	for _, home := range pinnedHomes(r, env) {
		if found, err := a.look(ctx, filepath.Join(home, "bin", command("java")), env); err == nil && found.major >= oldest {
			return found, nil
		}
	}
	var broken error
	for _, home := range a.homes(env) {
		found, err := a.look(ctx, filepath.Join(home, "bin", command("java")), env)
		if err == nil {
			return found, nil
		}
		if broken == nil && !errors.Is(err, fs.ErrNotExist) {
			broken = fault.New(fault.AdapterNotFound, "the Java in %s does not run: %w", home, err).
				WithHint("mend what the message names, or "+installJDK, oldest)
		}
	}
	if broken != nil {
		return jdk{}, broken
	}
	return jdk{}, fault.New(fault.AdapterNotFound, "there is no Java on this machine: neither JAVA_HOME nor PATH has one").WithHint(installJDK, oldest)
}

// places are where systems put their JDKs.
var places = []string{"/usr/lib/jvm/*", "/opt/java/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home"}

// homes are the directories that may hold a Java, the preferred first.
func (a *adapter) homes(env []string) []string {
	var list []string
	add := func(home string) {
		if home != "" && !slices.Contains(list, home) {
			list = append(list, home)
		}
	}
	add(prepare.Lookup(env, "JAVA_HOME"))
	for _, name := range []string{"java", "javac"} {
		for _, dir := range prepare.SearchPath(prepare.Lookup(env, "PATH")) {
			if path := filepath.Join(dir, command(name)); prepare.Exists(path) {
				add(filepath.Dir(filepath.Dir(prepare.Physical(path))))
			}
		}
	}
	patterns := slices.Clone(a.places)
	if user := prepare.Lookup(env, "HOME"); user != "" {
		for _, pattern := range managed {
			patterns = append(patterns, filepath.Join(user, filepath.FromSlash(pattern)))
		}
	}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		slices.Reverse(found) // mostly the newest first
		for _, home := range found {
			add(prepare.Physical(home))
		}
	}
	return list
}

// look reads what the installation says of itself, else asks the command.
func (a *adapter) look(ctx context.Context, java string, env []string) (jdk, error) {
	if _, err := exec.LookPath(java); err != nil {
		return jdk{}, err
	}
	home := filepath.Dir(filepath.Dir(prepare.Physical(java)))
	version := releaseOf(filepath.Join(home, "release"))
	if version == "" {
		var err error
		if version, home, err = a.ask(ctx, java, env); err != nil {
			return jdk{}, err
		}
	}
	return jdk{home: home, java: java, version: version, major: major(version)}, nil
}

// releaseOf reads JAVA_VERSION="17.0.15" out of a JDK's own note.
func releaseOf(path string) string {
	f, err := boundedfile.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "JAVA_VERSION="); ok {
			return strings.Trim(value, `"`)
		}
	}
	return ""
}

var property = pattern.New(`(?m)^\s*java\.(home|version) = (.+?)\s*$`)

// ask runs the command, for installations (and wrappers) without such a note.
func (a *adapter) ask(ctx context.Context, java string, env []string) (version, home string, err error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	_, said, err := process.Run(ctx, process.Spec{
		Name: "java", Path: java, Args: []string{"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-DumpReplayDataOnError", "-XshowSettings:properties", "-version"}, Env: env, Log: a.Log,
	})
	if err != nil {
		return "", "", err
	}
	for _, m := range property.FindAllStringSubmatch(string(said), -1) {
		if m[1] == "home" {
			home = m[2]
		} else {
			version = m[2]
		}
	}
	if version == "" || home == "" {
		return "", "", fault.New(fault.InvalidParam, "it does not say which version it is")
	}
	return version, home, nil
}

// major reads "17.0.15" as 17 and "1.8.0_392" as 8.
func major(version string) int {
	parts := strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' })
	if len(parts) > 1 && parts[0] == "1" {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(parts[0])
	return n
}
