package handlers

import (
	"context"
	"fmt"

	"aidb-mcp/internal/launch"
	"aidb-mcp/internal/task"
	"aidb-mcp/session"
)

// errands are what a launch configuration has done beside its program.
type errands struct {
	before session.Before
	ready  func(printed string) string
}

// with is a request with that.
func (b errands) with(r session.StartRequest) session.StartRequest {
	r.Before, r.Ready = b.before, b.ready
	return r
}

// errandsOf is what an entry has done before and after its program, and how its
// server says that it is ready. Nothing is run yet.
func (h *Handlers) errandsOf(set *launch.Set, e *launch.Entry, config *launch.Config, o launch.Options) (b errands, err error) {
	if config.Ready != nil {
		if b.ready, err = config.Ready.Compile(); err != nil {
			return b, err
		}
	}
	var pre, post *launch.Task
	if pre, err = h.taskOf(set, e, config.PreLaunchTask, config.BeforeTask, o); err != nil {
		return b, err
	}
	if post, err = h.taskOf(set, e, config.PostDebugTask, nil, o); err != nil {
		return b, err
	}
	if pre != nil || post != nil {
		b.before = tasks(pre, post)
	}
	return b, nil
}

// taskOf is a task that an entry names, or has itself; nil when there is none.
func (h *Handlers) taskOf(set *launch.Set, e *launch.Entry, ref launch.TaskRef, own *launch.Task, o launch.Options) (*launch.Task, error) {
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
	return t, h.permitTask(t)
}

// permitTask refuses a task that the policy forbids.
func (h *Handlers) permitTask(t *launch.Task) error {
	if err := h.Policy.Change(fmt.Sprintf("running the task %q", t.Label), "launch_config_name"); err != nil {
		return err
	}
	if err := h.Policy.Path("launch_config_name", t.Dir); err != nil {
		return err
	}
	if len(t.Command) > 0 {
		if err := h.Policy.Tool("launch_config_name", t.Command[0], t.Dir); err != nil {
			return err
		}
	}
	for _, other := range t.Before {
		if err := h.permitTask(other); err != nil {
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
