package java

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/system/process"
)

// Profile plans a run of its own: under the flight recorder for time and memory, with looks at its
// threads for waits.
func (a *adapter) Profile(ctx context.Context, r adapters.Request, w profiling.Spec, progress func(string)) (*adapters.ProfiledRun, error) {
	plan, err := a.Plan(ctx, r, progress)
	if err != nil {
		return nil, err
	}
	run, err := a.profiled(ctx, plan, w, progress)
	if err != nil {
		plan.Close()
	}
	return run, err
}

// ownRun is a program that is started to be profiled.
type ownRun struct {
	jvm
	spec profiling.Spec
	dir  string // its private directory

	mu    sync.Mutex // guards the fields below
	began time.Time
	last  *profiling.Profile // memory that was looked at before the program was ended
	stop  context.CancelFunc // ends the looks at threads; nil: there are none
	stood chan seenThreads   // what they have seen
}

// seenThreads is what came of looks at threads.
type seenThreads struct {
	made *profiling.Profile
	err  error
}

func (a *adapter) profiled(ctx context.Context, plan *adapters.Plan, w profiling.Spec, progress func(string)) (*adapters.ProfiledRun, error) {
	l, ours := plan.Arguments.(launch)
	d, known := plan.Dialect.(*dialect)
	if !ours || !known {
		return nil, fault.New(fault.NotSupported, "only a program that is started has a run of its own").WithField("mode").
			WithHint("give target or test; a program that runs is profiled in a session")
	}
	o := &ownRun{jvm: d.recorders.jvm, spec: w, began: time.Now()}
	var err error
	if o.dir, err = o.scratch(); err != nil {
		return nil, err
	}
	options, err := o.options(ctx, d.recorders.javas, progress)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(o.dir))
	}
	return &adapters.ProfiledRun{
		Spec: process.Spec{
			Name: "java", Path: l.Java, Args: slices.Concat(options, l.Command), Env: prepare.Overlay(os.Environ(), l.Env), Dir: l.Cwd, Log: a.Log,
		},
		Target: plan.Target, Warnings: plan.Warnings,
		Begin: o.begin, Finish: o.finish, Read: o.result,
		Close: func() {
			o.stopLooking()
			plan.Close()
			_ = os.RemoveAll(o.dir)
		},
	}, nil
}

func (o *ownRun) recording() string { return filepath.Join(o.dir, "recording.jfr") }

// options are what the JVM is started with to be measured.
func (o *ownRun) options(ctx context.Context, k javas, progress func(string)) ([]string, error) {
	if o.spec.What == profiling.Waits {
		return nil, nil
	}
	set, err := settings(o.dir, o.spec.What, searchAtEnd)
	if err != nil {
		return nil, err
	}
	start := fmt.Sprintf("-XX:StartFlightRecording=name=%s,settings=%s,filename=%s,dumponexit=true", recordingName, set, o.recording())
	var more []string
	if o.spec.What == profiling.Memory {
		agent, err := o.adapter.smallAgent(ctx, k, "ending", "the Java agent that counts objects", progress)
		if err != nil {
			return nil, err
		}
		more = []string{"-javaagent:" + filepath.Join(agent, agentFile) + "=" + o.dir}
	}
	return append([]string{start, "-XX:FlightRecorderOptions=stackdepth=256", "-Xlog:jfr*=off", "-Xlog:jfr+startup=off"}, more...), nil
}

// begin takes note of the process; of waits it begins to look.
func (o *ownRun) begin(_ context.Context, pid int, ended <-chan struct{}) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pid, o.began = pid, time.Now()
	if o.spec.What != profiling.Waits {
		return nil
	}
	looking, stop := context.WithCancel(context.Background()) // the looks end by finish, result or Close
	o.stop, o.stood = stop, make(chan seenThreads, 1)
	v := o.jvm
	go func() { // ends with the program, or by stop
		over := make(chan struct{})
		go func() { // closes over at the first end
			defer close(over)
			select {
			case <-ended:
			case <-looking.Done():
			}
		}()
		made, err := v.waitsUntil(over)
		o.stood <- seenThreads{made, err}
	}()
	return nil
}

// longest is how long threads are looked at, where nobody ends it.
const longest = time.Hour

// waitsUntil looks at all threads until over is closed.
func (v jvm) waitsUntil(over <-chan struct{}) (*profiling.Profile, error) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !catchesQuit(v.pid) { // before it does, to ask it would end it
		select {
		case <-over:
			return nil, errors.New("it ended before it could be asked")
		case <-tick.C:
		}
	}
	return v.waits(context.Background(), adapters.Profiled{PID: v.pid, Ended: over}, profiling.Spec{What: profiling.Waits, For: longest})
}

func (o *ownRun) stopLooking() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stop != nil {
		o.stop()
	}
}

// finish is for a program that is about to be ended.
func (o *ownRun) finish(ctx context.Context) error {
	o.stopLooking()
	if o.spec.What == profiling.Waits {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.spec.What == profiling.Memory {
		made := &profiling.Profile{}
		if _, err := o.histogram(ctx, &made.Data); err != nil {
			return err
		}
		o.last = made
		if _, err := o.jcmd(ctx, "JFR.dump", "name="+recordingName, "filename="+o.recording()); err == nil {
			return nil
		}
	}
	_, err := o.jcmd(ctx, "JFR.stop", "name="+recordingName)
	return err
}

// result reads what was measured.
func (o *ownRun) result(ctx context.Context, cut bool) (made *profiling.Profile, err error) {
	o.mu.Lock()
	lasted := time.Since(o.began)
	o.mu.Unlock()
	switch o.spec.What {
	case profiling.Waits:
		made, err = o.sampleThreads(ctx)
	case profiling.Memory:
		made, err = o.held(ctx, cut)
	default:
		made, err = o.samples(ctx, o.recording(), o.spec)
	}
	if err != nil {
		return nil, err
	}
	made.Lasted = lasted
	return made, nil
}

// sampleThreads is what the looks at threads have seen.
func (o *ownRun) sampleThreads(ctx context.Context) (*profiling.Profile, error) {
	o.stopLooking()
	select {
	case seen := <-o.stood:
		if seen.err != nil {
			return nil, fault.New(fault.NotSupported, "nobody could look at its threads: %w", seen.err).
				WithHint("a look takes some tenths of a second: let the program run for longer")
		}
		return seen.made, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// held is what the program held at its end, beside what its JVM held before it began.
func (o *ownRun) held(ctx context.Context, cut bool) (*profiling.Profile, error) {
	made := &profiling.Profile{
		How:  "the JVM's own count of the objects that are reachable, by class (GC.class_histogram), before the program began and when it ended",
		Cost: fmt.Sprintf("each count collects garbage and walks through the heap, and stops the program for that; the search for the ways from roots stops it at its end, for at most %s", searchAtEnd),
	}
	o.mu.Lock()
	last := o.last
	o.mu.Unlock()
	var err error
	if made.Before, err = o.counted("before"); err != nil {
		return nil, err
	}
	switch {
	case last != nil:
		made.Data = last.Data
	case cut:
		return nil, fault.New(fault.NotSupported, "the program did not answer before it was ended: what it held is not known").WithHint("profile it in a session")
	default:
		if made.Data, err = o.counted("after"); err != nil {
			return nil, err
		}
		made.Notes = append(made.Notes, "it was counted when the program ended: what only its methods' variables held is not in it")
	}
	made.Before, made.Data = withoutRecorder(made.Before), withoutRecorder(made.Data)
	made.Notes = append(made.Notes, "the Flight Recorder's own objects are left out as far as their class tells; about 1 MB of byte[] and Object[] may be its")
	if lines, err := o.read(ctx, o.recording()); err != nil {
		made.Notes = append(made.Notes, "who allocates and holds what grew is not known: "+err.Error())
	} else {
		o.allocated(lines, made)
	}
	if o.spec.Save != "" {
		made.Notes = append(made.Notes, "of a run of its own the heap itself is not kept: profile it in a session for that")
	}
	return made, nil
}

// counted is a count that the agent has written down.
func (o *ownRun) counted(name string) (*profile.Profile, error) {
	text, err := os.ReadFile(filepath.Join(o.dir, name))
	if err != nil {
		return nil, fault.New(fault.NotSupported, "the program ended without a count of what it held: it was killed, or has halted its JVM").
			WithHint("profile it in a session while it runs")
	}
	return histogramOf(string(text)), nil
}

// flightRecorder is the package of the recorder itself, which runs in the program.
const flightRecorder = "jdk.jfr."

// withoutRecorder leaves out what the flight recorder holds, as far as its class tells.
func withoutRecorder(p *profile.Profile) *profile.Profile {
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool {
		return slices.ContainsFunc(s.Label[profiling.TypeLabel], func(t string) bool { return strings.HasPrefix(t, flightRecorder) })
	})
	return p
}
