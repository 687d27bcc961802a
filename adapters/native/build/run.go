package build

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

// command is one run of a tool.
type command struct {
	name string // for logs and errors
	path string
	args []string
	dir  string
	env  map[string]string // over the request's
}

// takesBack is the time that a build has to remove what it has made by half, when ours is
// over: a later one would take it for made. GNU make and Ninja do so within milliseconds.
const takesBack = 2 * time.Second

func (j *job) spec(c command) (process.Spec, error) {
	set := map[string]string{"PWD": c.dir, "LC_ALL": "C.UTF-8"}
	maps.Copy(set, c.env)
	return j.o.Root.Temporary(process.Spec{
		Name: c.name, Path: c.path, Args: c.args, Env: prepare.Overlay(j.env, set), Dir: c.dir, Log: j.o.Log,
		TakesBack: takesBack,
	})
}

// run runs a tool to its end; failed is true when it ran and said no.
func (j *job) run(ctx context.Context, c command) (stdout, stderr string, failed bool, err error) {
	spec, err := j.spec(c)
	if err != nil {
		return "", "", false, err
	}
	out, errs, err := process.RunWatched(ctx, spec, func(line []byte) {
		if done, total := progressOf(line); total > 0 {
			adapters.Count(ctx, done, total)
		}
	})
	var exit *process.ExitError
	if errors.As(err, &exit) {
		if len(out) == 0 {
			return "", exit.Words(string(errs)), true, nil
		}
		return string(out), string(errs), true, nil
	}
	return string(out), string(errs), false, err
}

// steps is how builds say how far they are: Ninja "[3/10]", makefiles of CMake
// "[ 30%]".
var steps = pattern.New(`^\[ *(\d+)(?:/(\d+)|%)\]`)

// progressOf is how far a build says it is in a line, 0 where it says nothing.
func progressOf(line []byte) (done, total int) {
	m := steps.FindSubmatch(line)
	if m == nil {
		return 0, 0
	}
	done, _ = strconv.Atoi(string(m[1])) // digits, or too many
	if m[2] == nil {
		return done, 100
	}
	total, _ = strconv.Atoi(string(m[2]))
	return min(done, total), total
}

// stream runs a tool and gives each line of its standard output as it comes,
// however much there is.
func (j *job) stream(ctx context.Context, c command, line func([]byte)) (stderr string, failed bool, err error) {
	if ctx.Err() != nil {
		return "", false, context.Cause(ctx)
	}
	spec, err := j.spec(c)
	if err != nil {
		return "", false, err
	}
	child, err := process.Start(spec)
	if err != nil {
		return "", false, err
	}
	child.Stdin.Close()
	defer child.Stdout.Close()
	killed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		child.Kill()
		close(killed)
	})
	said := false
	reader := bufio.NewReaderSize(child.Stdout, 64<<10)
	for {
		text, err := reader.ReadBytes('\n')
		if text = bytes.TrimSpace(text); len(text) > 0 {
			said = true
			line(text)
		}
		if err != nil {
			break
		}
	}
	_, _ = io.Copy(io.Discard, reader)
	select {
	case <-child.Done():
	case <-killed:
	}
	if !stop() {
		return "", false, context.Cause(ctx)
	}
	stderr, status := child.StderrTail(16<<10), child.Exit()
	if failed = status != (process.ExitStatus{}); failed && !said {
		stderr = (&process.ExitError{Name: c.name, Status: status}).Words(stderr)
	}
	return stderr, failed, nil
}

// find looks a tool up in the PATH that the build will have.
func (j *job) find(names ...string) (string, bool) {
	for _, name := range names {
		if strings.ContainsAny(name, `/\`) {
			if path, err := exec.LookPath(name); err == nil {
				return path, true
			}
			continue
		}
		if path, ok := lookIn(prepare.Lookup(j.env, "PATH"), name); ok {
			return path, true
		}
	}
	return "", false
}

// missingTool is the error of a build that lacks its tool.
func missingTool(what, remedy string) error {
	return fault.New(fault.BuildFailed, "%s was not found, and the program must be built", what).
		WithHint("%s, or debug a ready binary with mode exec", remedy)
}
