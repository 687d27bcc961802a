package debugpy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// takesCode says that a running program of this Python executes code that is put to it by itself
// (sys.remote_exec).
func (py *python) takesCode() bool { return slices.Compare(py.Version, []int{3, 14}) >= 0 }

// hitCost is what a hit of a recorder costs.
const hitCost = "some µs and what showing its values costs, without a stop"

// planObserve plans a session without a debugger, where Python itself takes what records.
func (a *adapter) planObserve(j *job, py *python, target string) (*adapters.Plan, error) {
	if err := attach.Check(j.Request); err != nil {
		return nil, err
	}
	if !py.takesCode() {
		return nil, fault.New(fault.NotSupported, "a running program of Python %s is not observed without its debugger, by which what records is put into it; from 3.14 on Python takes it by itself", formatVersion(py.Version)).WithField("adapter_options").
			WithHint(`session_start {"mode":"attach","pid":%d} puts that in (it holds the program up for some seconds, once); then trace(arm) records while the program runs`, j.PID)
	}
	d := &dialect{base: plainBase()}
	evaluate := func(ctx context.Context, expression string) error { return a.execute(ctx, j, py, expression) }
	arm := func(ctx context.Context, w live.Spec) (adapters.Recorder, error) { return d.arm(ctx, w, evaluate) }
	plan := attach.PlanWith(j.PID, target, arm, d.armed.Close)
	plan.Dir, plan.Modules = workdirOf(j.PID), prepare.Roots(j.Request, sourcesOf(j.PID)...)
	plan.Capabilities.Observing.Cost = hitCost
	plan.Capabilities.Profiling.Take = func(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
		return a.takeProfile(ctx, p, w, false, evaluate)
	}
	return plan, nil
}

// How long a program's main thread may take to run some Python code, and how long all may take then.
const (
	wakes        = 5 * time.Second
	executeLimit = wakes + 10*time.Second
)

// execute has the program execute an expression: its own interpreter's kind has to ask it.
func (a *adapter) execute(ctx context.Context, j *job, py *python, expression string) error {
	dir, err := a.Root.Scratch("py-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "code.py") // too long for a command line
	if err = os.Mkdir(dir, 0o700); err == nil {
		err = os.WriteFile(path, []byte(expression), 0o600)
	}
	if err != nil {
		return fmt.Errorf("writing what the program is to execute: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, executeLimit)
	defer cancel()
	out, stderr, err := process.Run(limited, process.Spec{
		Name: "python", Path: py.Executable,
		Args: []string{"-I", "-c", remoteScript, strconv.Itoa(j.PID), path, strconv.FormatFloat(wakes.Seconds(), 'g', -1, 64)},
		Log:  j.log,
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && limited.Err() != nil:
		return fmt.Errorf("asking the program took more than %s", executeLimit)
	case err != nil:
		return errors.New(cmp.Or(lastLine(string(stderr)), err.Error()))
	case strings.TrimSpace(string(out)) != "begun":
		return fault.New(fault.NotSupported, "nothing was put into the program: its main thread, which alone takes that, ran no Python code within %s: it waits for something, or is stopped", wakes).
			WithHint("ask again while the program has something to do there; session_start without observe puts the debugger in, which needs nobody to wake, but gdb")
	}
	return nil
}
