package diagnose

import (
	"context"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// A program that does not end is looked at three times, with so much time between.
const (
	looks      = 3
	betweenTwo = 300 * time.Millisecond
	hangFrames = 6
)

// watch looks at a program that is still running, paused for each look and left so.
// What waits outside of an interpreter cannot be paused: then its adapter may tell of
// one that runs.
func (n *run) watch(ctx context.Context) error {
	seen := samples{}
	for i := range looks {
		if i > 0 {
			if ended, err := n.continueAndMeasure(ctx, &seen); err != nil || ended {
				return err
			}
		}
		if !seen.unpausable {
			if err := n.pause(ctx); err != nil {
				return err
			}
			seen.unpausable = isRunning(n.s.State().Status)
		}
		st := n.s.State()
		if isOver(st) {
			return nil
		}
		if st.Status != session.Paused && !n.s.ShowsRunning() { // nothing of it runs: it waits for an event
			continue
		}
		if err := n.addSample(ctx, &seen); err != nil {
			if isOver(n.s.State()) {
				return nil
			}
			return err
		}
	}
	if seen.isInDebugger() {
		return fault.New(fault.SessionStart, "the time was over before the program came to its own code").
			WithField("timeout_ms").WithHint("raise timeout_ms")
	}
	n.judgeSamples(ctx, &seen)
	return nil
}

// judgeSamples judges a program that does not end by what several looks have shown.
func (n *run) judgeSamples(ctx context.Context, seen *samples) {
	n.hang = hang{
		verdict: judge.HangOf(seen.samples, seen.load, n.s.KnowsEndless()), seen: seen.samples, changed: seen.changed,
		took: seen.processorTimes(process.ThreadTimes(n.s.ProgramPID())),
	}
	if n.hang.verdict != judge.Cut {
		return
	}
	if t, found := judge.Computing(n.hang.seen, n.hang.took); found {
		n.hang.still = n.findStall(ctx, t)
	}
	if n.hang.still.Is() {
		n.hang.verdict = judge.BusyLoop
	}
}

// samples are what several looks at a program have shown.
type samples struct {
	unpausable bool
	samples    []judge.Sample
	scheduled  []uint64 // at each of them, how often the program's scheduler had let a thread go on; 0 unknown
	load       judge.Load
	values     map[string]map[string]string // by function
	changed    []Change
	before     map[int]int64 // what each thread had had of the processor at the first look
}

// isIdle says whether the program's scheduler has let no thread go on since the last
// look.
func (seen *samples) isIdle(scheduled uint64) bool {
	last := len(seen.scheduled) - 1
	return last >= 0 && scheduled != 0 && seen.scheduled[last] == scheduled
}

// processorTimes is how much processor time each thread has used since the first look.
func (seen *samples) processorTimes(now map[int]int64) map[int]int64 {
	took := map[int]int64{}
	for id, ticks := range now {
		took[id] = ticks - seen.before[id]
	}
	return took
}

// isOver says that a program does not stand because it was asked to, nor run: one that
// has been asked may do so late.
func isOver(st session.State) bool { return !isRunning(st.Status) && st.Status != session.Paused }

// isInDebugger says that a program takes time of the processor and is not in the user's code:
// its debugger is still at work in it.
func (seen *samples) isInDebugger() bool {
	users := func(s judge.Sample) bool { return len(s.Users()) > 0 }
	return len(seen.samples) > 0 && seen.load.Known && !slices.ContainsFunc(seen.samples, users) &&
		judge.HangOf(seen.samples, seen.load, false) == judge.Cut
}

// continueAndMeasure lets the program go on for a while, and sees how much of a core it takes.
// Ended says that it came to a stop or its end by itself.
func (n *run) continueAndMeasure(ctx context.Context, seen *samples) (ended bool, err error) {
	if n.s.State().Status == session.Paused {
		if err := n.s.Continue(ctx, 0); err != nil {
			return false, err
		}
		if st, err := n.s.Wait(ctx, betweenTwo); err != nil || isOver(st) { // going on takes some time of the processor too
			return true, err
		}
	}
	load, ended, err := n.measureLoad(ctx)
	for i := 1; i < loads && err == nil && !ended && load.Works() && (load.Share < 1 || !judge.Runs(seen.samples)); i++ {
		var again judge.Load
		again, ended, err = n.measureLoad(ctx)
		load.Share = min(load.Share, again.Share)
	}
	if err != nil || ended {
		return true, err
	}
	if load.Known {
		seen.load.Share, seen.load.Known = max(seen.load.Share, load.Share), true
	}
	return false, nil
}

// loads is how often it is measured how much a program computes that did not do so all
// of the time, or all of whose threads wait: the debugger's own work in it passes, and on
// a busy machine takes long; that of a thread which is not seen goes on.
const loads = 3

// measureLoad measures for a while how much of the time the program computes.
func (n *run) measureLoad(ctx context.Context) (load judge.Load, ended bool, err error) {
	const checks = 15
	computing, measured := 0, 0
	for range checks {
		st, err := n.s.Wait(ctx, betweenTwo/checks)
		if err != nil || isOver(st) {
			return load, true, err
		}
		switch runs, known := process.Runnable(n.s.ProgramPID()); {
		case !known || !runs && n.isAdapterAtWork():
		case runs:
			computing++
			fallthrough
		default:
			measured++
		}
	}
	if measured > 0 {
		load = judge.Load{Share: float64(computing) / float64(measured), Known: true}
	}
	return load, false, nil
}

// isAdapterAtWork says that the debug adapter computes, or would if it had a core: it may keep the
// program waiting meanwhile, at an event of which the program's own state tells nothing.
func (n *run) isAdapterAtWork() bool {
	pid := n.s.AdapterPID()
	if pid == 0 {
		return false
	}
	works, _ := process.Runnable(pid, n.s.ProgramPID())
	return works
}

// How long a program may take to stand still, and to end when its debugger has let go of it.
const (
	pauseLimit  = time.Second
	endingLimit = 5 * time.Second
)

// pause has the program stand still, where it can be had to.
func (n *run) pause(ctx context.Context) error {
	if err := n.s.Pause(ctx, 0); err != nil && isRunning(n.s.State().Status) {
		if st, ended := n.s.Wait(ctx, endingLimit); ended == nil && isOver(st) { // as it was asked
			return nil
		}
		return err
	}
	_, err := n.s.Wait(ctx, pauseLimit)
	return err
}

// addSample notes what the threads are at, and which variables have moved where the program
// stands.
func (n *run) addSample(ctx context.Context, seen *samples) error {
	if seen.before == nil {
		seen.before = process.ThreadTimes(n.s.ProgramPID())
	}
	sample, scheduled, err := n.takeSample(ctx)
	if err != nil {
		return err
	}
	seen.load.Idle = seen.load.Idle || seen.isIdle(scheduled)
	seen.samples, seen.scheduled = append(seen.samples, sample), append(seen.scheduled, scheduled)
	if n.s.State().Status == session.Paused {
		function, now := n.plainLocals(ctx)
		seen.changed = changedVariables(seen.values[function], now, seen.changed)
		if seen.values == nil {
			seen.values = map[string]map[string]string{}
		}
		seen.values[function] = now
	}
	return nil
}

// takeSample returns what the threads are doing, and how often the program's scheduler
// has let one go on, where it counts that.
func (n *run) takeSample(ctx context.Context) (judge.Sample, uint64, error) {
	threads, err := n.s.Threads(ctx, "", hangFrames)
	if err != nil {
		return nil, 0, err
	}
	var sample judge.Sample
	for _, g := range threads.Groups {
		t := judge.Thread{Name: g.Name, Count: g.Count, Waiting: g.Waiting, Object: g.Object, Tasks: g.Tasks, Endless: g.Endless, IDs: g.IDs}
		for _, f := range g.Frames {
			if !f.Internal && f.File != "" && f.Line > 0 {
				t.At, t.In, t.File, t.Line, t.Frame = placeText(f.File, f.Line), f.Function, f.File, f.Line, f.Index
				break
			}
		}
		sample = append(sample, t)
	}
	return sample, threads.Scheduled, nil
}

// plainLocals are the plain locals of the function in which the program stands, to see which
// of them move.
func (n *run) plainLocals(ctx context.Context) (function string, values map[string]string) {
	v, err := n.s.ViewWithoutOutput(ctx)
	if err != nil || v.Frame == nil {
		return "", nil
	}
	values = map[string]string{}
	for _, local := range v.Locals {
		values[local.Name] = local.Untyped()
	}
	return v.Frame.Function, values
}

// changedVariables are the variables that had another value at the last look at the
// same function; last are those of the look before, where there was none.
func changedVariables(before, now map[string]string, last []Change) []Change {
	if before == nil || now == nil {
		return last
	}
	var changes []Change
	for name, value := range now {
		if old, there := before[name]; there && old != value {
			changes = append(changes, Change{Name: name, Old: old, New: value})
		}
	}
	return changes
}
