package java

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// compile compiles sources with debug information into a scratch directory.
// What they use of the same roots is compiled with them.
func (a *adapter) compile(ctx context.Context, j job, files, roots []string) (program, error) {
	classPath, err := j.paths("classPath", j.options.ClassPath)
	if err != nil {
		return program{}, err
	}
	options := []string{"-g", "-nowarn", "-proc:none", "-encoding", "UTF-8"}
	if len(classPath) > 0 {
		options = append(options, "-cp", join(classPath))
	}
	if j.program.major < j.tools.major {
		options = append(options, "--release", strconv.Itoa(j.program.major))
	}
	p := program{sources: roots}
	key := j.key(options, files, roots)
	out, kept := a.keptBuild(key)
	if !kept {
		if out, err = a.javac(ctx, j, slices.Concat(options, []string{"-sourcepath", join(roots)}, j.BuildArgs, files)); err != nil {
			return program{}, err
		}
		if dir, ok := a.keep(key, out); ok {
			out, kept = dir, true
		}
	}
	if !kept {
		p.scratch = out
	}
	p.classes, p.classPath = []string{out}, append([]string{out}, classPath...)
	return p, nil
}

// quick are options for a JVM that lives shortly.
var quick = []string{
	"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-XX:-UsePerfData",
	"-J-XX:+IgnoreUnrecognizedVMOptions", "-J-XX:ErrorFile=" + os.DevNull, "-J-XX:-DumpReplayDataOnError", // they would lie in the user's directory
}

// javac compiles into a fresh directory.
func (a *adapter) javac(ctx context.Context, j job, args []string) (dir string, err error) {
	out, err := a.newBuildDir()
	if err != nil {
		return "", err
	}
	spec := process.Spec{Name: "javac", Path: j.tools.tool("javac"), Args: slices.Concat(quick, []string{"-d", out}, args), Dir: j.Workspace}
	if err := a.build(ctx, j, spec); err != nil {
		_ = os.RemoveAll(out)
		return "", err
	}
	return out, nil
}

// build runs a compiler or a build tool; its errors come with file and line.
func (a *adapter) build(ctx context.Context, j job, spec process.Spec) error {
	ctx, cancel := context.WithTimeout(ctx, a.BuildTimeout)
	defer cancel()
	spec.Env, spec.Log = j.buildEnviron(), a.Log
	spec, err := a.Root.Temporary(spec)
	if err != nil {
		return err
	}
	stdout, stderr, err := process.Run(ctx, spec)
	if exit, failed := errors.AsType[*process.ExitError](err); failed {
		return failure(j, spec.Name, exit.Words(string(stdout)+string(stderr)))
	}
	if err != nil && ctx.Err() == nil {
		return fault.New(fault.BuildFailed, "%s could not be started: %w", spec.Name, err)
	}
	return err
}

// The compilers' messages: javac's own (which Gradle passes on), and Maven's.
var (
	javacError = pattern.New(`^(.+\.java):(\d+): (?:error: )?(.+)$`)
	mavenError = pattern.New(`^\[ERROR\] (.+\.java):\[(\d+),(\d+)\] (?:error: )?(.+)$`)
)

// compileErrors finds the messages in what was written. Javac shows the line
// and a caret under the column.
func compileErrors(j job, output string) []prepare.CompileError {
	var found []prepare.CompileError
	seen := map[string]bool{}
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		var e prepare.CompileError
		if m := mavenError.FindStringSubmatch(line); m != nil {
			e = prepare.CompileError{File: m[1], Line: number(m[2]), Column: number(m[3]), Message: m[4]}
		} else if m := javacError.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[3], "warning:") {
			e = prepare.CompileError{File: m[1], Line: number(m[2]), Column: caret(lines[i+1:]), Message: m[3]}
		} else {
			continue
		}
		e.Message += symbol(lines[i+1:])
		e.File = shownPath(j, e.File)
		if key := e.String(); !seen[key] {
			seen[key] = true
			found = append(found, e)
		}
	}
	return found
}

// shownPath is a file as it is told: relative to the workspace when inside it.
func shownPath(j job, file string) string {
	return strings.TrimPrefix(prepare.Show(j.Request, prepare.Locate(j.Request, file)), "."+string(filepath.Separator))
}

// symbol adds which symbol it is that javac cannot find; it says so further down.
func symbol(after []string) string {
	for _, line := range after[:min(len(after), 4)] {
		line = strings.TrimSpace(strings.TrimPrefix(line, "[ERROR]"))
		if name, ok := strings.CutPrefix(line, "symbol:"); ok {
			return ": " + strings.Join(strings.Fields(name), " ")
		}
		if javacError.MatchString(line) || mavenError.MatchString(line) {
			return ""
		}
	}
	return ""
}

func caret(after []string) int {
	for _, line := range after[:min(len(after), 3)] {
		if strings.TrimSpace(line) == "^" {
			return strings.IndexByte(line, '^') + 1
		}
	}
	return 0
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// sourceFiles are all sources below a root.
func sourceFiles(root string) []string {
	return slices.DeleteFunc(filesBelow(root, ".java"), func(file string) bool { return !isSource(file) })
}

// isSource says that a file of Java is compiled by itself.
func isSource(file string) bool { return filepath.Base(file) != "module-info.java" }

// filesBelow are the files of some kinds in a directory and those below it, but hidden ones.
func filesBelow(root string, extensions ...string) []string {
	var files []string
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if !d.IsDir() && slices.Contains(extensions, filepath.Ext(path)) {
			files = append(files, path)
		}
		return nil
	})
	return files
}
