package delve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// builtProgram is a program of ours with the scratch directory that holds it.
type builtProgram struct{ program, scratch string }

// build compiles without optimisation. The go command makes the scratch
// directory itself, at the very end.
func (a *adapter) build(ctx context.Context, j job, c code) (builtProgram, error) {
	if j.beside != nil {
		select {
		case <-j.beside:
		case <-ctx.Done():
			return builtProgram{}, context.Cause(ctx)
		}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, a.BuildTimeout, errBuildTime)
	defer cancel()
	goCommand, err := j.goCommand()
	if err != nil {
		return builtProgram{}, err
	}
	scratch, err := a.Root.Scratch("go-")
	if err != nil {
		return builtProgram{}, err
	}
	flags := j.buildFlags()
	kept := a.keptFor(goCommand, c.from, flags, c.args)
	lent := kept.lend(scratch)
	spec, err := a.Root.Temporary(process.Spec{
		Name: "go build",
		Path: goCommand,
		Args: slices.Concat(flags, []string{"-o", scratch + string(filepath.Separator)}, c.args),
		Env:  prepare.Overlay(j.env, map[string]string{"GOTMPDIR": "", "PWD": c.from}), // empty: TMPDIR
		Dir:  c.from,
		Log:  a.Log,
	})
	if err != nil {
		return builtProgram{}, err
	}
	_, stderr, err := process.Run(ctx, spec)
	if err != nil {
		os.RemoveAll(scratch)
		return builtProgram{}, a.buildError(ctx, j, c, stderr, err)
	}
	program, err := builtFile(scratch, lent)
	if err != nil {
		os.RemoveAll(scratch)
		return builtProgram{}, fmt.Errorf("looking for what was built: %w", err)
	}
	kept.keep(program)
	return builtProgram{program, scratch}, nil
}

var errBuildTime = errors.New("the build took too long")

// buildFlags put what the user asked for after our own, so that it wins.
func (j job) buildFlags() []string {
	flags := []string{"build"}
	if j.Mode == adapters.Test {
		flags = []string{"test", "-c", "-vet=off"}
	}
	flags = append(flags, "-buildvcs=false", "-gcflags=all=-N -l", "-ldflags=-compressdwarf=false")
	if j.beside != nil {
		flags = append(flags, fmt.Sprintf("-p=%d", max(1, runtime.NumCPU()/2)))
	}
	return append(flags, j.BuildArgs...)
}

// goCommand is the toolchain that the user named, else the one in PATH.
func (j job) goCommand() (string, error) {
	if j.RuntimePath != "" {
		path := prepare.Locate(j.Request, j.RuntimePath)
		if prepare.IsDir(path) {
			path = filepath.Join(path, "bin", "go")
		}
		if _, err := exec.LookPath(path); err != nil {
			return "", fault.New(fault.InvalidParam, "runtime_path: %w", err).WithField("runtime_path").
				WithHint("give the go command to build with, for example /usr/local/go/bin/go")
		}
		return path, nil
	}
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fault.New(fault.AdapterNotFound, "the Go toolchain was not found, and the program must be built: %w", err).
			WithHint("install Go (https://go.dev/dl) and put it in PATH, or give runtime_path, or debug a ready binary with mode exec")
	}
	return path, nil
}

// importDir asks the go command for the directory of an import path.
func (a *adapter) importDir(ctx context.Context, j job) lister {
	return func(from, path string) (string, error) {
		goCommand, err := j.goCommand()
		if err != nil {
			return "", err
		}
		args := append([]string{"list", "-find", "-f", "{{.Dir}}"}, listFlags(j.BuildArgs)...)
		stdout, stderr, err := process.Run(ctx, process.Spec{
			Name: "go list", Path: goCommand, Args: append(args, "--", path), Env: j.env, Dir: from, Log: a.Log,
		})
		var exit *process.ExitError
		if errors.As(err, &exit) {
			return "", errors.New(firstLine(string(stderr)))
		}
		return strings.TrimSpace(string(stdout)), err
	}
}

// listFlags are those build flags that decide where packages are found.
func listFlags(buildArgs []string) []string {
	var flags []string
	for _, arg := range buildArgs {
		name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if strings.Contains(arg, "=") && (name == "tags" || name == "mod" || name == "modfile") {
			flags = append(flags, arg)
		}
	}
	return flags
}

// builtFile is what was built into a directory, where something may have been lent that is
// called otherwise: the module has another name since.
func builtFile(dir, lent string) (string, error) {
	program, err := soleFile(dir)
	if err != nil && lent != "" && os.Remove(lent) == nil {
		return soleFile(dir)
	}
	return program, err
}

func soleFile(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(entries) != 1 {
		return "", fmt.Errorf("%d files in %s, want 1", len(entries), dir)
	}
	return filepath.Join(dir, entries[0].Name()), nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
