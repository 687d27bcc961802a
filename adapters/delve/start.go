package delve

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/serve"
	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/process"
)

// planParts is what the modes find out about the program.
type planParts struct {
	target  string   // for people
	modules []string // roots of the user's code
	scratch string   // directory to remove at the end
	entry   string   // function in place of a stop on entry
	tests   *testRun // when it is a test binary
	leaves  *leaving // nil: it is not asked what it leaves running
}

// planStart plans a process of our own that holds the debugger.
func (a *adapter) planStart(j job, start wire.Start, p planParts) (*adapters.Plan, error) {
	program := start.Program
	if start.Mode == "attach" {
		program = fmt.Sprintf("/proc/%d/exe", start.PID)
	}
	start.SubstitutePath = append(start.SubstitutePath, j.trimmedPaths(program)...)
	l := &launcher{adapter: a, job: j, scratch: p.scratch, held: start.PID, leaves: p.leaves}
	d := &local{dialect{entry: p.entry, tests: p.tests, joined: start.Mode == "attach"}}
	plan := &adapters.Plan{
		Mode:      j.Mode,
		Target:    p.target,
		Dir:       start.Cwd,
		Modules:   p.modules,
		Open:      l.open,
		Request:   "launch",
		Arguments: start,
		Dialect:   d, Capabilities: following(d.Capabilities(), start.FollowExec),
		Close: sync.OnceFunc(l.close),
	}
	if p.leaves != nil {
		plan.Capabilities.End.Left = p.leaves.Read
	}
	if j.Mode != adapters.Launch && j.Mode != adapters.Test {
		plan.Program = program
	}
	if start.Mode == "attach" {
		plan.Request, plan.Detach = "attach", true
	}
	if start.Mode != "exec" || runtime.GOOS != "linux" {
		return plan, nil
	}
	if err := l.pipes(); err != nil {
		plan.Close()
		return nil, fmt.Errorf("making the program's streams: %w", err)
	}
	plan.Streams = &adapters.Streams{Stdin: l.ours[0], Stdout: l.ours[1], Stderr: l.ours[2]}
	return plan, nil
}

// launcher starts the process and owns what belongs to one session.
type launcher struct {
	*adapter
	job          job
	scratch      string
	leaves       *leaving   // what it notes of what it leaves; nil: nothing
	held         int        // the process that was there before us, 0 when the program is ours
	ours, theirs []*os.File // ends of the program's streams: stdin, stdout, stderr
}

func (l *launcher) pipes() error {
	for i := range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		if i == 0 {
			r, w = w, r // ours is the end that writes
		}
		l.ours, l.theirs = append(l.ours, r), append(l.theirs, w)
	}
	return nil
}

// open starts the adapter's process. The program's ends of its streams are
// then held by that process alone, so that the streams end with the program.
func (l *launcher) open(context.Context) (*adapters.Peer, error) {
	executable := l.Executable
	if executable == "" {
		var err error
		if executable, err = process.Executable(); err != nil {
			return nil, err
		}
	}
	spec := process.Spec{
		Name:  "delve",
		Path:  executable,
		Args:  []string{command},
		Env:   l.job.env,
		Extra: l.theirs,
		Log:   l.Log,
	}
	if l.leaves != nil {
		spec.Env = prepare.Overlay(spec.Env, l.leaves.env)
	}
	if l.scratch != "" {
		spec.Remove, spec.Root = []string{l.scratch}, l.Root
	}
	if l.held != 0 {
		spec.Release = &process.Release{PID: l.held, Signal: syscall.SIGTERM}
	}
	if len(l.theirs) > 0 {
		spec.Args = append(spec.Args, serve.Streams)
	}
	p, err := peer.Start(spec)
	closeAll(l.theirs)
	return p, err
}

func (l *launcher) close() {
	closeAll(l.theirs)
	closeAll(l.ours)
	l.leaves.close()
	if l.scratch != "" {
		if err := os.RemoveAll(l.scratch); err != nil {
			l.Log.Warn("the scratch directory stays", "error", err)
		}
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close() // it may be closed already
	}
}
