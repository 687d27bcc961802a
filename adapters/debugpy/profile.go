package debugpy

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
)

// What runs in the program's own interpreter to profile it; driver.py says how.
//
//go:embed profiler/*.py
var profiler embed.FS

//go:embed profiler/enter.py
var enterScript string // evaluated in a program that runs

// profilerPackage is the folder in which the program's interpreter finds it.
const profilerPackage = "aidb_profiler"

// programScript is a part of the recorder, which runs the program here too.
const programScript = "program.py"

// profilerResult is what the profiler writes, beside what it is asked.
const profilerResult = "profile.json"

// profilerSpec is what the profiler is told.
type profilerSpec struct {
	What    profiling.What `json:"what"`
	Seconds float64        `json:"seconds,omitempty"` // it ends by itself after them, if nobody asks for it
	Look    bool           `json:"look,omitempty"`    // of memory: one look at it
}

// Profile runs the program as its plan would, under profiler/run.py in place of debugpy, which
// need not be there.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Spec, progress func(string)) (*adapters.ProfiledRun, error) {
	start, err := a.planAlone(ctx, r, nil, progress)
	if err != nil {
		return nil, err
	}
	dir, err := a.profilerDir(profilerSpec{What: w.What})
	if err != nil {
		return nil, err
	}
	return &adapters.ProfiledRun{
		Spec: process.Spec{
			Name: "python", Path: start.Python[0], Args: start.commandBy(dir, profilerPackage),
			Env: prepare.Overlay(os.Environ(), start.Env), Dir: start.Cwd, Root: a.Root, Log: a.Log,
		},
		Target: start.plan.Target, Warnings: start.plan.Warnings,
		Finish: func(ctx context.Context) error { return finishProfile(ctx, dir, nil, limitOf(w.What)) },
		Read: func(context.Context, bool) (*profiling.Profile, error) {
			return readProfile(dir, profileOf{what: w.What})
		},
		Close: func() { _ = os.RemoveAll(dir) },
	}, nil
}

// profilerDir lays out the profiler and what it is to do.
func (a *adapter) profilerDir(w profilerSpec) (string, error) {
	dir, err := a.Root.Scratch("prof-")
	if err != nil {
		return "", err
	}
	if err := profiling.Equip(dir, w, profiler, "profiler", profilerPackage); err != nil {
		return "", err
	}
	program, err := recorder.ReadFile("recorder/" + programScript)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, profilerPackage, programScript), program, 0o600)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("writing the profiler: %w", err), os.RemoveAll(dir))
	}
	return dir, nil
}

// How long a profiler may take to write down what it has, and how often it is looked whether
// it has. Nothing announces that a file is there.
const (
	profilerLimit = 9 * time.Second
	memoryLimit   = 30 * time.Second // all objects are gone through
	profilerLook  = 20 * time.Millisecond
)

func limitOf(what profiling.What) time.Duration {
	if what == profiling.Memory {
		return memoryLimit
	}
	return profilerLimit
}

// finishProfile asks a profiler for its end, and waits for it, or for the program's.
func finishProfile(ctx context.Context, dir string, ended <-chan struct{}, limit time.Duration) error {
	if err := profiling.Finish(dir); err != nil {
		return err
	}
	return waitProfile(ctx, dir, ended, limit, func(why string) bool { return why != "running" })
}

// profilerBegins is how long a look at the memory of a program that runs may take: it shares
// the interpreter with the program.
const profilerBegins = 60 * time.Second

// waitProfile waits until what a profiler writes is as far as is said, the program has ended
// or the time is over: what was written until then is read.
func waitProfile(ctx context.Context, dir string, ended <-chan struct{}, limit time.Duration, enough func(why string) bool) error {
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		var found struct {
			Why string `json:"why"`
		}
		text, err := os.ReadFile(filepath.Join(dir, profilerResult))
		if err == nil && json.Unmarshal(text, &found) == nil && enough(found.Why) {
			return nil
		}
		select {
		case <-ended:
			return nil
		default:
		}
		if !sleep.For(waiting, profilerLook) {
			return context.Cause(ctx)
		}
	}
}

// profilerSlack is what a profiler in a program waits longer than it was told to, if nobody
// asks it for its end.
const profilerSlack = 15 * time.Second

// TakeProfile profiles a program in which the debugger is, and which runs: the profiler
// enters by an evaluation apart from any frame.
func (d *dialect) TakeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	return d.profiles.takeProfile(ctx, p, w, true, func(ctx context.Context, call string) error {
		var entered struct {
			PID int `json:"pid"`
		}
		return evaluateJSON(ctx, p.Caller, call, &entered)
	})
}

// takeProfile profiles a program that runs, which evaluates an expression for it; inside says that a
// debugger is in it. The profiler leaves by itself.
func (a *adapter) takeProfile(ctx context.Context, p adapters.Profiled, w profiling.Spec, inside bool, evaluate evaluator) (*profiling.Profile, error) {
	look := w.What == profiling.Memory && w.For == 0
	dir, err := a.profilerDir(profilerSpec{What: w.What, Seconds: (w.For + profilerSlack).Seconds(), Look: look})
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	call := fmt.Sprintf(`(lambda n: (exec(%s, n), n["enter"](%s))[1])({})`, literalOf(enterScript), literalOf(dir))
	var worded *fault.Error
	switch err := evaluate(ctx, call); {
	case errors.As(err, &worded):
		return nil, worded
	case err != nil:
		return nil, fault.New(fault.NotSupported, "the profiler cannot enter the program: %w", err).WithField("session_id").
			WithHint("a program in a container, of another user or on another machine does not see the profiler's files; profile a run of its own: give target or test")
	}
	if err := waitProfile(ctx, dir, p.Ended, profilerBegins, func(string) bool { return true }); err != nil {
		return nil, err
	}
	if _, err := p.Wait(ctx, w.For); err != nil {
		return nil, err
	}
	if err := finishProfile(ctx, dir, p.Ended, profilerBegins); err != nil {
		return nil, err
	}
	return readProfile(dir, profileOf{what: w.What, inside: inside, look: look})
}

// profiling is how a program of the session is profiled.
func (d *dialect) profiling() adapters.Profiling {
	if d.profiles == nil {
		return adapters.Profiling{Why: "the program may be on another machine, which does not see the profiler's files: profile a run of its own (give target or test), or attach by pid on its machine"}
	}
	return adapters.Profiling{Take: d.TakeProfile, Standing: []profiling.What{profiling.Memory, profiling.Waits}}
}
