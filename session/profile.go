package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/output"
)

// ProfileRun is what came of profiling a program.
type ProfileRun struct {
	Profile  *profiling.Profile
	Target   string              // what ran, for people
	Own      bool                // a run of its own
	Exit     *process.ExitStatus // of a run of its own; nil: it was ended by us when its time was over
	Stdout   output.Tail
	Stderr   output.Tail
	Warnings []string
	// Since is how long ago the look was made that this one of memory is compared with; 0 where
	// the profiler itself has looked twice.
	Since time.Duration
}

// Profile runs a program once under its language's profiler, until it ends, the spec's time
// or the one until over is up: it is ended then. No session has to do with it. Progress may
// be nil. Errors are *fault.Error.
func (m *Manager) Profile(ctx context.Context, r StartRequest, w profiling.Spec, over time.Time, progress func(string)) (*ProfileRun, error) {
	adapter, err := m.admit(&r)
	if err != nil {
		return nil, err
	}
	defer r.Program.Debuggee.Line.Close()
	if r.Program.Attaches() {
		return nil, fault.New(fault.NotSupported, "a program that runs is profiled in a session").WithField("mode").
			WithHint("session_start attaches to it, then profile with its session_id")
	}
	if adapter.Services().Profile == nil {
		return nil, fault.New(fault.NotSupported, "there is no profiler for %s", adapter.Info().Language).WithField("what").
			WithHint("execute(pause) a few times shows where a program of it stands")
	}
	after, err := m.beforeAlone(ctx, r, over, progress)
	if err != nil {
		return nil, err
	}
	defer after()
	planned, err := planAlone(ctx, m, over, func(ctx context.Context) (*adapters.ProfiledRun, error) {
		return adapter.Services().Profile(ctx, r.Program, w, progress)
	}, func(p *adapters.ProfiledRun) { p.Close() })
	if err != nil {
		return nil, m.withholdSource(err, r.Program.Workspace)
	}
	defer planned.Close()
	if err := m.admitAlone(r, planned.Spec); err != nil {
		return nil, err
	}
	made := &ProfileRun{Target: m.mask.Command(planned.Target), Own: true, Warnings: planned.Warnings}
	if progress != nil {
		progress("running " + made.Target)
	}
	if w.For > 0 {
		over = earlier(over, time.Now().Add(w.For))
	}
	run, err := runAlone(ctx, planned.Spec, r.Program.Stdin, until{over: over}, m.Limits(), beside{planned.Begin, planned.Finish})
	if err != nil {
		return nil, err
	}
	made.Exit, made.Stdout, made.Stderr = run.exit, run.out.Take("stdout", recordedOutput), run.out.Take("stderr", recordedOutput)
	if made.Profile, err = planned.Read(ctx, made.Exit == nil); err != nil {
		return nil, err
	}
	made.Profile.Ended = made.Exit != nil
	return made, nil
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// lastMemory is the look at a program's memory that the next one is compared with.
type lastMemory struct {
	mu      sync.Mutex // guards the fields below
	run     *run
	profile *profiling.Profile
	at      time.Time
}

// exchange puts a look in the place of the one before, which it gives where that is of the
// same run.
func (l *lastMemory) exchange(of *run, p *profiling.Profile) (before *profiling.Profile, since time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.run == of {
		before, since = l.profile, time.Since(l.at)
	}
	l.run, l.profile, l.at = of, p, time.Now()
	return before, since
}

// HasMemory says that a look at the memory of the program as it runs now was made.
func (s *Session) HasMemory() bool {
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return s.memory.run != nil && s.memory.run == s.currentRun()
}

// Profile profiles the program that the session has, which goes on meanwhile. Errors are
// *fault.Error.
func (s *Session) Profile(ctx context.Context, w profiling.Spec) (*ProfileRun, error) {
	l, main, err := s.liveConnection()
	if err != nil {
		return nil, err
	}
	can := s.capabilities().Profiling
	if can.Take == nil {
		why := can.Why
		if why == "" {
			why = "give target or test in place of a session: profile then makes a run of its own; or attach with another debugger"
		}
		return nil, fault.New(fault.NotSupported, "a running program cannot be profiled in a session of %s", s.Language()).WithField("session_id").WithHint("%s", why)
	}
	stands := s.State().Status.Stopped()
	if stands && !slices.Contains(can.Standing, w.What) {
		return nil, fault.New(fault.NotRunning, "the program stands still: there is nothing to measure").
			WithHint(`let it run: execute {"wait_for_stop":false}, then profile again`)
	}
	ended := make(chan struct{})
	taking, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // tells the profiler of the end; it ends with the call
		defer close(ended)
		select {
		case <-l.gone:
		case <-taking.Done():
		}
	}()
	pid := s.PID()
	if pid == 0 { // not every adapter tells that of what it was attached to
		pid = s.request.Program.PID
	}
	p, err := can.Take(taking, adapters.Profiled{PID: pid, Caller: main, Stands: stands, Ended: ended}, w)
	var known *fault.Error
	if err != nil && !errors.As(err, &known) {
		err = s.adapterError(ctx, "profile", err)
	}
	if err != nil {
		return nil, err
	}
	made := &ProfileRun{Profile: p, Target: s.Target()}
	if w.What == profiling.Memory {
		if n := s.armedCount(); n > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("traces are armed (%d): what records in the program holds its rows there until they are read, which may be among what has grown; disarm them for a profile without that", n))
		}
		before, since := s.memory.exchange(l, p)
		if p.Before == nil && before != nil && w.For == 0 {
			p.Before, made.Since = before.Data, since
		}
	}
	return made, nil
}

// LocalFile is a file of the program on this machine.
func (s *Session) LocalFile(file string) string {
	if file == "" {
		return ""
	}
	return s.localPath(file)
}

// ProfilesStanding says that a profile of a kind can be made of the program while it stands
// still.
func (s *Session) ProfilesStanding(w profiling.What) bool {
	return slices.Contains(s.capabilities().Profiling.Standing, w)
}
