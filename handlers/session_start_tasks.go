package handlers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/project/launch"
	"aidb-mcp/internal/project/task"
	"aidb-mcp/session"
	"aidb-mcp/tools"
)

// prePostTasks are what a launch configuration has done beside its program.
type prePostTasks struct {
	pre, post *launch.Task // nil: none

	before session.Before // both of them
	ready  func(printed string) string
}

// with is a request with that.
func (b prePostTasks) with(r session.StartRequest) session.StartRequest {
	r.Before, r.Ready = b.before, b.ready
	return r
}

// prePostTasksOf is what an entry has done before and after its program, and how its
// server says that it is ready. Nothing is run yet.
func (sr startResolver) prePostTasksOf(set *launch.Set, e *launch.Entry, config *launch.Config, o launch.Options) (b prePostTasks, err error) {
	if config.Ready != nil {
		if b.ready, err = config.Ready.Compile(); err != nil {
			return b, err
		}
	}
	if b.pre, err = sr.taskOf(set, e, config.PreLaunchTask, config.BeforeTask, o); err != nil {
		return b, err
	}
	if b.post, err = sr.taskOf(set, e, config.PostDebugTask, nil, o); err != nil {
		return b, err
	}
	if b.pre != nil || b.post != nil {
		b.before = tasks(b.pre, b.post)
	}
	return b, nil
}

// taskOf is a task that an entry names, or has itself; nil when there is none.
func (sr startResolver) taskOf(set *launch.Set, e *launch.Entry, ref launch.TaskRef, own *launch.Task, o launch.Options) (*launch.Task, error) {
	t := own
	if !ref.Empty() {
		var err error
		if t, err = set.Task(ref, e, o); err != nil {
			return nil, err
		}
	}
	if t == nil {
		return nil, nil
	}
	return t, sr.permitTask(t)
}

// permitTask refuses a task that the policy forbids.
func (sr startResolver) permitTask(t *launch.Task) error {
	if err := sr.Policy.Change(fmt.Sprintf("running the task %q", t.Label), "launch_config_name"); err != nil {
		return err
	}
	if err := sr.Policy.Path("launch_config_name", t.Dir); err != nil {
		return err
	}
	if len(t.Command) > 0 {
		if err := sr.Policy.Tool("launch_config_name", t.Command[0], t.Dir); err != nil {
			return err
		}
	}
	for _, other := range t.Before {
		if err := sr.permitTask(other); err != nil {
			return err
		}
	}
	return nil
}

// tasks runs one task before a program and one after it; either may be nil. What the
// first has left in the background ends with the program.
func tasks(pre, post *launch.Task) session.Before {
	return func(ctx context.Context, doing func(string)) (done session.Done, err error) {
		var run *task.Run
		if pre != nil {
			if run, err = task.Start(ctx, pre, doing); err != nil {
				return done, err
			}
			done.Warnings = run.Notes()
		}
		done.After = func(ctx context.Context) error {
			if run != nil {
				defer run.End()
			}
			return after(ctx, post)
		}
		return done, nil
	}
}

func after(ctx context.Context, post *launch.Task) error {
	if post == nil {
		return nil
	}
	run, err := task.Start(ctx, post, nil)
	if err != nil {
		return fmt.Errorf("the postDebugTask: %w", err)
	}
	run.End()
	return nil
}

// firstTask is the task of a compound, which is run once for all its programs.
func (sr startResolver) firstTask(ctx context.Context, c *Call, p *tools.SessionStartParams, set *launch.Set, of *launch.Compound) (session.Before, error) {
	if of.PreLaunchTask.Empty() {
		return nil, nil
	}
	t, err := set.TaskOf(of, sr.launchOptions(ctx, c, p))
	if err != nil {
		return nil, err
	}
	if err := sr.permitTask(t); err != nil {
		return nil, err
	}
	return (&once{do: tasks(t, nil), turn: make(chan struct{}, 1)}).before, nil
}

// sharedTasks has the programs of a compound run a task that several of them name once.
type sharedTasks map[string]*once

// share is what one program has done, with its first task shared.
func (s sharedTasks) share(b prePostTasks) prePostTasks {
	if b.pre == nil {
		return b
	}
	key := strings.Join(append([]string{b.pre.Label, b.pre.Dir}, b.pre.Command...), "\x00")
	if s[key] == nil {
		s[key] = &once{do: tasks(b.pre, nil), turn: make(chan struct{}, 1)}
	}
	b.before = inSequence(s[key].before, tasks(nil, b.post))
	return b
}

// once is what is done before the first of several programs, and ended after the last.
type once struct {
	do   session.Before
	turn chan struct{} // holds one: whoever has put it there may use the fields below

	users int
	done  session.Done
}

func (o *once) before(ctx context.Context, doing func(string)) (session.Done, error) {
	select {
	case o.turn <- struct{}{}:
	case <-ctx.Done():
		return session.Done{}, context.Cause(ctx)
	}
	defer func() { <-o.turn }()
	if o.users == 0 {
		var err error
		if o.done, err = o.do(ctx, doing); err != nil {
			return session.Done{}, err
		}
	}
	o.users++
	return session.Done{Warnings: o.done.Warnings, After: o.after}, nil
}

func (o *once) after(ctx context.Context) error {
	o.turn <- struct{}{}
	defer func() { <-o.turn }()
	if o.users--; o.users > 0 || o.done.After == nil {
		return nil
	}
	return o.done.After(ctx)
}

// inSequence is one thing done before another; either may be nil.
func inSequence(first, second session.Before) session.Before {
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(ctx context.Context, doing func(string)) (session.Done, error) {
		a, err := first(ctx, doing)
		if err != nil {
			return a, err
		}
		b, err := second(ctx, doing)
		if err != nil {
			return session.Done{}, errors.Join(err, undo(a))
		}
		return session.Done{Warnings: append(a.Warnings, b.Warnings...), After: func(ctx context.Context) error {
			return errors.Join(b.After(ctx), a.After(ctx))
		}}, nil
	}
}

// undo ends what was done where the rest could not be.
func undo(d session.Done) error {
	if d.After == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), endingLimit)
	defer cancel()
	return d.After(ctx)
}

const endingLimit = 10 * time.Second
