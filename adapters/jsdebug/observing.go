package jsdebug

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/jsdebug/inspector"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/exprsyntax"
)

// observer records in a node that runs on, by a connection of its own to its inspector.
type observer struct {
	node      string // that looks through sources
	root      *process.Root
	inspector string // the address of the program's, empty where the process tells it
	kept      attach.ArmedRecorders
}

// Enter records beside js-debug.
func (o *observer) Enter(ctx context.Context, p adapters.Entered, w live.Spec) (adapters.Recorder, error) {
	url, pid := "", p.PID
	if o.inspector != "" {
		path, err := webSocketOf(ctx, o.inspector)
		if err == nil && path != "" {
			url = "ws://" + o.inspector + path
		}
	} else if pid = pidOf(ctx, p); pid != 0 {
		url = inspector.URLOf(pid)
	}
	if url == "" {
		return nil, fault.New(fault.NotSupported, "the program's inspector was not found, by which a running JavaScript program is recorded").
			WithHint("attach to the process that is meant: session_start(mode: attach, pid)")
	}
	return o.kept.Keep(o.arm(ctx, url, pid, w))
}

// takeProfile profiles the main thread of a program beside which there is no js-debug.
func (o *observer) takeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	path, err := webSocketOf(ctx, o.inspector)
	if err != nil {
		return nil, fault.New(fault.NotSupported, "the program's inspector does not answer: %w", err).WithField("session_id").
			WithHint("profile a run of its own: give target or test")
	}
	l := &liveProfiler{}
	const farewell = "0" // nothing is left in the program
	if l.c, err = inspector.Connect(o.root, "ws://"+o.inspector+path, p.PID, farewell, l.event); err != nil {
		return nil, fmt.Errorf("connecting to the program's inspector: %w", err)
	}
	defer l.c.Close()
	return l.take(ctx, p, w)
}

// pidOf is the program's process: what is not told is asked.
func pidOf(ctx context.Context, p adapters.Entered) int {
	if p.PID != 0 {
		return p.PID
	}
	var said godap.EvaluateResponseBody
	if p.Caller.Call(ctx, "evaluate", godap.EvaluateArguments{Expression: "process.pid", Context: "repl"}, &said) != nil {
		return 0
	}
	pid, err := strconv.Atoi(said.Result)
	if err != nil {
		return 0
	}
	return pid
}

// most is how many hits a second a program bears: V8 needs some tenths of a millisecond for each.
const mostHits = 4000

// arm records by the inspector at a URL.
func (o *observer) arm(ctx context.Context, url string, pid int, w live.Spec) (adapters.Recorder, error) {
	if w.Written != "" {
		return nil, fault.New(fault.NotSupported, "writes in a running JavaScript program are not recorded: V8 has nothing that watches a variable").WithField("what").
			WithHint(`record values at the lines that assign it ({"action":"arm","what":"values",…}), or run the program again: trace without action has writes`)
	}
	for _, e := range append(append([]string{}, w.Expressions...), w.Condition) {
		if e == "" {
			continue
		}
		if err := exprsyntax.JavaScript.Effects(e); err != nil {
			return nil, fault.New(fault.InvalidParam, "nothing was armed: %q does more than look: %w", e, err).WithField("expressions").
				WithHint("what is recorded in a running program names variables, properties and elements, and computes with them")
		}
	}
	if w.Most == 0 {
		w.Most = mostHits
	}
	a := &arming{observer: o, spec: w}
	r, err := a.arm(ctx, url, pid)
	var f *fault.Error
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &f):
		return nil, f
	case errors.Is(err, inspector.ErrHungUp):
		return nil, fault.New(fault.NotSupported, "nothing was armed: the program has ended")
	}
	return nil, fault.New(fault.NotSupported, "nothing was armed: %w", err)
}

// hitCost is what a hit of a recorder costs.
const hitCost = "0.2 to 0.4 ms, without a stop"

// liveHow says by what it is recorded, and what that costs and misses.
func liveHow(w live.Spec, places int, open bool) string {
	missed := "; worker threads and child processes are not seen"
	if w.Functions != nil {
		missed = ", a call one for its beginning and one for its end; results are read where the return statement only looks" + missed
		if open {
			missed = "; ends of async functions and generators are not recorded" + missed
		}
	}
	return fmt.Sprintf("in the program, by conditions of breakpoints that never stop, over node's inspector, at %s: a hit costs the program 0.2 to 0.4 ms, armed and not reached nothing; above 4,000 hits a second it is taken out%s",
		live.Places(places), missed)
}
