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

// Language is what is to be known of a language.
type Language struct {
	IsGo    bool
	Library func(name, file string) bool // says that a function is not of the user's code
}

// isLibrary says so of a profile's function.
func (l Language) isLibrary(f *profile.Function) bool { return l.Library(f.Name, f.Filename) }

// how says what has measured.
const how = "by the kernel's clock (perf_event_open), a sample of each thread after each 1.003 ms of processor time; stacks by what the executables say of their frames"

// cost is what sampling costs the program, as measured by its own clock (a loop of 1.25 s of
// processor time took as much under it).
const cost = "less than 1 % of the processor time that the program takes, for the samples; it is never stopped"

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
func (l Language) Take(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	switch {
	case p.PID == 0:
		return nil, fault.New(fault.NotSupported, "the process is not known, or runs on another machine: only one of this machine is sampled").WithField("session_id")
	case w.What == profiling.Waits:
		return l.takeWaits(ctx, p, w)
	case w.What == profiling.Memory:
		return l.takeMemory(ctx, p, w)
	}
	s, err := sample.Start(ctx, p.PID, "")
	if err != nil {
		return nil, failure(err)
	}
	ended := pause(ctx, p, w.For)
	made := l.read(s.Stop())
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	made.Ended = ended
	return made, nil
}

// pause waits for some time, and says whether the program has ended before that was over.
func pause(ctx context.Context, p adapters.Profiled, some time.Duration) (ended bool) {
	timer := time.NewTimer(some)
	defer timer.Stop()
	looking, cancel := context.WithCancel(ctx)
	defer cancel()
	select {
	case <-timer.C:
		return false
	case <-p.Ended:
	case <-gone(looking, p.PID):
	}
	return ctx.Err() == nil
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
func (l Language) read(t *sample.Taken) *profiling.Profile {
	p := &profiling.Profile{
		Data: t.Profile.Profile(), How: how, Cost: cost, Lasted: t.Lasted,
		Library: l.isLibrary,
	}
	note := func(n int64, text string) {
		if n > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("%d of %d samples %s", n, t.Samples, text))
		}
	}
	if t.Lost > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%d samples beside these were lost, for the machine was too busy to take them: the shares are of those that came", t.Lost))
	}
	note(t.Cut, "have stacks deeper than the 16 KiB that are copied: their outermost callers are missing, and the total of those is too low")
	note(t.Broken, "have a stack whose outermost callers could not be found")
	note(t.Unnamed, "are in code of no file, as a compiler at run time makes it: it has no names here")
	note(t.Optimized, "are in optimized code: each stands at the line from which the compiler says its instruction comes. It moves and merges instructions, "+
		"and computes what stands under a condition without asking that: a line with samples need not have run as it is written")
	if missing := t.Used - t.Own; t.Kernel && t.Lost == 0 && missing > 50*time.Millisecond && missing > t.Used/10 {
		p.Notes = append(p.Notes, fmt.Sprintf("the samples stand for %s of the %s of processor time that the program took: what a thread does in its last millisecond is in no sample, "+
			"and nothing of one that lives no longer", t.Own.Round(10*time.Millisecond), t.Used.Round(10*time.Millisecond)))
	}
	if !t.Kernel {
		p.Notes = append(p.Notes, "time that the kernel spends for the program is not in it: that wants CAP_PERFMON")
	}
	return p
}

// starter lets a shell wait for a line, and become the program then: it is sampled from its
// first instruction on.
const starter = `read -r _ <&3 || exit; exec 3<&-; exec "$@"`

// Run plans a run of a program of its own. Close releases what its plan holds.
func (l Language) Run(spec process.Spec, w profiling.Spec, close func()) (*adapters.ProfiledRun, error) {
	switch {
	case w.What == profiling.Memory && l.IsGo:
		run, err := l.runMemory(spec)
		if err != nil {
			close()
			return nil, err
		}
		run.Close = close
		return run, nil
	case w.What == profiling.Memory:
		return l.runHeap(spec, close)
	case w.What == profiling.Waits:
		close()
		return nil, fault.New(fault.NotSupported, "where threads stand is looked at in a program that runs").WithField("what").
			WithHint(`session_start, execute {"wait_for_stop":false}, then profile with its session_id`)
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
	path := spec.Path
	spec.Args = append([]string{"-c", starter, "sh", spec.Path}, spec.Args...)
	spec.Path, spec.Extra = "/bin/sh", []*os.File{in}
	var s *sample.Sampler
	return &adapters.ProfiledRun{
		Spec: spec,
		Begin: func(ctx context.Context, pid int, _ <-chan struct{}) (err error) {
			if s, err = sample.Start(ctx, pid, path); err != nil {
				return failure(err)
			}
			_, err = out.WriteString("\n")
			return err
		},
		Read: func(context.Context, bool) (*profiling.Profile, error) {
			taken := s.Stop()
			s = nil
			return l.read(taken), nil
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
