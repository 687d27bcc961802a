// Package task runs the tasks of a workspace that belong to the start of a program:
// one after the other or side by side, to their end or, in the background, until
// they are ready. They are supervised: none outlives the server.
//
// It knows nothing of what is started then.
package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/system/process"
)

// Run is a task that was run, with what it has left running in the background.
type Run struct {
	doing func(string)

	mu       sync.Mutex // guards all below
	children []*process.Child
	begun    map[*launch.Task]*begun
	notes    []string
}

// begun is a task that is under way, or over.
type begun struct {
	over chan struct{}
	err  error // once over is closed
}

// Start runs a task with all on which it depends, and returns when it has ended or,
// in the background, is ready. Doing is told what is under way; it may be nil. An
// error ends all that was begun: BUILD_FAILED with the output of the task that
// failed, or that was not ready when ctx's time was over.
func Start(ctx context.Context, t *launch.Task, doing func(string)) (*Run, error) {
	if doing == nil {
		doing = func(string) {}
	}
	r := &Run{doing: doing, begun: map[*launch.Task]*begun{}}
	if err := r.run(ctx, t); err != nil {
		r.End()
		return nil, err
	}
	return r, nil
}

// End ends what runs in the background.
func (r *Run) End() {
	r.mu.Lock()
	children := slices.Clone(r.children)
	r.mu.Unlock()
	var all sync.WaitGroup
	for _, child := range slices.Backward(children) {
		all.Go(child.Kill)
	}
	all.Wait()
}

// Notes say what is worth knowing of tasks that have not failed.
func (r *Run) Notes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.notes)
}

// run runs a task once, however many depend on it.
func (r *Run) run(ctx context.Context, t *launch.Task) error {
	if ctx.Err() != nil {
		return timeoutFailure(ctx, t, "was not begun", &printed{})
	}
	r.mu.Lock()
	b, known := r.begun[t]
	if !known {
		b = &begun{over: make(chan struct{})}
		r.begun[t] = b
	}
	r.mu.Unlock()
	if known {
		select {
		case <-b.over:
			return b.err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	defer close(b.over)
	if b.err = r.runDependencies(ctx, t); b.err == nil && len(t.Command) > 0 {
		b.err = r.command(ctx, t)
	}
	return b.err
}

// runDependencies runs what a task depends on. The first that fails ends the others.
func (r *Run) runDependencies(ctx context.Context, t *launch.Task) error {
	if t.Sequence {
		for _, other := range t.Before {
			if err := r.run(ctx, other); err != nil {
				return err
			}
		}
		return nil
	}
	group, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	var once sync.Once
	var first error
	for _, other := range t.Before {
		all.Go(func() {
			if err := r.run(group, other); err != nil {
				once.Do(func() { first = err })
				cancel()
			}
		})
	}
	all.Wait()
	return first
}

// settling is how long a task in the background that never says that it is ready is
// watched for a failure.
const settling = 500 * time.Millisecond

// command runs what the task itself is.
func (r *Run) command(ctx context.Context, t *launch.Task) error {
	r.doing(fmt.Sprintf("running the task %q", t.Label))
	spec := process.Spec{Name: "task " + t.Label, Path: t.Command[0], Args: t.Command[1:], Dir: t.Dir, Env: environment(t.Env), Streams: true}
	child, err := process.Start(spec)
	if err != nil {
		return taskFailure(t, "could not be started: "+err.Error(), "").WithHint("see that %s is installed and %s is a directory", t.Command[0], t.Dir)
	}
	_ = child.Stdin.Close()
	out := &printed{ready: t.Ready, seen: make(chan struct{})}
	var drains sync.WaitGroup
	for _, from := range []*os.File{child.Stdout, child.Stderr} {
		drains.Go(func() {
			defer from.Close()
			_, _ = io.Copy(out, from)
		})
	}
	ended := make(chan struct{})
	go func() {
		<-child.Done()
		drains.Wait()
		close(ended)
	}()
	if t.Background {
		return r.background(ctx, t, child, out, ended)
	}
	select {
	case <-ended:
		return exitFailure(t, child, out)
	case <-ctx.Done():
		child.Kill()
		return timeoutFailure(ctx, t, "has not ended", out).WithHint(
			"a task that goes on needs isBackground and a problemMatcher whose background.endsPattern says when it is ready")
	}
}

// background waits until the task is ready.
func (r *Run) background(ctx context.Context, t *launch.Task, child *process.Child, out *printed, ended chan struct{}) error {
	r.mu.Lock()
	r.children = append(r.children, child)
	r.mu.Unlock()
	var settled <-chan time.Time
	if t.Ready == nil {
		limit := time.NewTimer(settling)
		defer limit.Stop()
		settled = limit.C
	}
	select {
	case <-out.seen:
		return nil
	case <-settled:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notes = append(r.notes, fmt.Sprintf("nothing says when the task %q is ready: give it a problemMatcher with background.endsPattern", t.Label))
		return nil
	case <-ended:
		return exitFailure(t, child, out)
	case <-ctx.Done():
		return timeoutFailure(ctx, t, fmt.Sprintf("was not ready (nothing that it printed matches %q)", strings.TrimPrefix(t.Ready.String(), "(?m)")), out).
			WithHint("see whether the task works by itself, and whether its background.endsPattern is what it prints")
	}
}

// exitFailure is why a task that has ended has failed, nil when it has not.
func exitFailure(t *launch.Task, child *process.Child, out *printed) error {
	if status := child.Exit(); status != (process.ExitStatus{}) {
		return taskFailure(t, "failed: "+status.String(), out.tail()).WithHint("mend what it says, or run it yourself and start with target")
	}
	return nil
}

// timeoutFailure is why a task was given up: its time was over, or it was ended for another's sake.
func timeoutFailure(ctx context.Context, t *launch.Task, what string, out *printed) *fault.Error {
	cause := context.Cause(ctx)
	if !errors.Is(cause, context.DeadlineExceeded) {
		f := fault.New(fault.Cancelled, "the task %q was ended", t.Label)
		f.Err = cause
		return f
	}
	return taskFailure(t, what+" when its time was over", out.tail())
}

// taskFailure is the failure of a task, with the end of what it has printed.
func taskFailure(t *launch.Task, what, printed string) *fault.Error {
	f := fault.New(fault.BuildFailed, "the task %q %s", t.Label, what).WithField("launch_config_name")
	f.Summary = f.Message // most tasks build nothing
	if printed != "" {
		return f.WithDetails(Details{Task: t.Label, Command: strings.Join(t.Command, " "), Output: printed})
	}
	f.Message += ", and it has printed nothing"
	return f
}

// Details are what a failure of a task shows.
type Details struct {
	Task    string `json:"task"`
	Command string `json:"command"`
	Output  string `json:"output"`
}

func environment(more map[string]string) []string {
	env := os.Environ()
	for name, value := range more {
		env = append(env, name+"="+value)
	}
	return env
}
