// Package profiler profiles programs of machine code for the adapters of their languages: by
// what the kernel samples of them (package sample), in a run of their own or as they run.
package profiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/sample"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// Library says that a function is not of the user's code.
type Library func(name, file string) bool

// how says what has measured.
const how = "by the kernel's clock (perf_event_open), a sample of each thread after each 1.003 ms of processor time; stacks by what the executables say of their frames"

// Cost is what sampling costs the program, as measured: see the tests of package sample.
const cost = "3 to 10 µs for each sample of a thread, which is up to 1 % of the time that it runs; it is never stopped"

// failure is an error of sampling as an agent reads it.
func failure(err error) error {
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, sample.ErrForbidden):
		return fault.New(fault.NotSupported, "%w", err).WithHint("%s", sample.Remedy)
	case errors.Is(err, sample.ErrUnsupported):
		return fault.New(fault.NotSupported, "%w", err).WithHint("execute(pause) a few times shows where the program is")
	}
	return fault.New(fault.SessionStart, "nothing was measured: %w", err)
}

// Take profiles a program that runs.
func Take(ctx context.Context, p adapters.Profiled, w profiling.Wish, library Library) (*profiling.Profile, error) {
	switch {
	case p.PID == 0:
		return nil, fault.New(fault.NotSupported, "the process is not known, or runs on another machine: only one of this machine is sampled").WithField("session_id")
	case w.What == profiling.Waits:
		return takeWaits(ctx, p, w, library)
	}
	s, err := sample.Start(ctx, p.PID, false)
	if err != nil {
		return nil, failure(err)
	}
	timer := time.NewTimer(w.For)
	defer timer.Stop()
	ended := false
	select {
	case <-timer.C:
	case <-p.Ended:
		ended = ctx.Err() == nil
	case <-gone(ctx, p.PID):
		ended = ctx.Err() == nil
	}
	made := read(s.Stop(), library)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	made.Ended = ended
	return made, nil
}

// gone is closed when a process has ended, or ctx has.
func gone(ctx context.Context, pid int) <-chan struct{} {
	done := make(chan struct{})
	go func() { // looks until the process or ctx ends
		defer close(done)
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return done
}

// read makes a profile of what was sampled.
func read(t *sample.Taken, library Library) *profiling.Profile {
	p := &profiling.Profile{
		Data: t.Profile.Profile(), How: how, Cost: cost, Lasted: t.Lasted,
		Library: func(f *profile.Function) bool { return library(f.Name, f.Filename) },
	}
	note := func(n int64, text string) {
		if n > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("%d of %d samples %s", n, t.Samples, text))
		}
	}
	if t.Lost > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d samples were lost: the machine was too busy to take them", t.Lost))
	}
	note(t.Cut, "have stacks deeper than the 16 KiB that are copied: their outermost callers are missing, and the total of those is too low")
	note(t.Broken, "have a stack whose outermost callers could not be found")
	note(t.Unnamed, "are in code of no file, as a compiler at run time makes it: it has no names here")
	if !t.Kernel {
		p.Notes = append(p.Notes, "time that the kernel spends for the program is not in it: that wants CAP_PERFMON")
	}
	return p
}

// starter lets a shell wait for a line, and become the program then: it is sampled from its
// first instruction on.
const starter = `read -r _ <&3; exec 3<&-; exec "$@"`

// Run plans a run of a program of its own. Close releases what its plan holds.
func Run(spec process.Spec, w profiling.Wish, library Library, close func()) (*adapters.ProfiledRun, error) {
	if w.What != profiling.CPU {
		close()
		return nil, fault.New(fault.NotSupported, "%s is not measured in a run of its own of this program", w.What).WithField("what").
			WithHint("let it run: session_start, execute(wait_for_stop: false), then profile in that session")
	}
	if err := sample.Check(); err != nil {
		close()
		return nil, failure(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		close()
		return nil, err
	}
	spec.Args = append([]string{"-c", starter, "sh", spec.Path}, spec.Args...)
	spec.Path, spec.Extra = "/bin/sh", []*os.File{in}
	var s *sample.Sampler
	return &adapters.ProfiledRun{
		Spec: spec,
		Begin: func(ctx context.Context, pid int, _ <-chan struct{}) (err error) {
			if s, err = sample.Start(ctx, pid, true); err != nil {
				return failure(err)
			}
			_, err = out.WriteString("\n")
			return err
		},
		Read: func(context.Context, bool) (*profiling.Profile, error) {
			taken := s.Stop()
			s = nil
			return read(taken, library), nil
		},
		Close: func() {
			if s != nil {
				s.Stop()
			}
			_ = in.Close() // a pipe of ours
			_ = out.Close()
			close()
		},
	}, nil
}
