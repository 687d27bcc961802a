package handlers

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
	"aidb-mcp/internal/source"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/session/diagnosis"
)

// A program that does not end is looked at three times, with so much time between.
const (
	looks      = 3
	betweenTwo = 300 * time.Millisecond
	hangFrames = 6
	hangGroups = 8
)

// watch looks at a program that is still running, paused for each look and left so.
// What waits outside of an interpreter cannot be paused: then its adapter may tell of
// one that runs.
func (x *examination) watch(ctx context.Context) error {
	seen := sightings{}
	for n := range looks {
		if n > 0 {
			if ended, err := x.runOn(ctx, &seen); err != nil || ended {
				return err
			}
		}
		if !seen.unpausable {
			if err := x.pause(ctx); err != nil {
				return err
			}
			seen.unpausable = running(x.s.State().Status)
		}
		st := x.s.State()
		if isOver(st) {
			return nil
		}
		if st.Status != session.Paused && !x.s.ShowsRunning() { // nothing of it runs: it waits for an event
			continue
		}
		if err := x.look(ctx, &seen); err != nil {
			if isOver(x.s.State()) {
				return nil
			}
			return err
		}
	}
	if seen.unbegun() {
		return fault.New(fault.SessionStart, "the time was over before the program came to its own code").
			WithField("timeout_ms").WithHint("raise timeout_ms")
	}
	x.hangs(&seen)
	return nil
}

// hangs judges a program that does not end by what several looks have shown.
func (x *examination) hangs(seen *sightings) {
	x.verdict = diagnosis.HangOf(seen.samples, seen.load, x.s.KnowsEndless())
	x.data.Samples, x.data.Changed, x.seen = shownSamples(seen.samples), seen.changed, seen.samples
}

// sightings are what several looks at a program have shown.
type sightings struct {
	unpausable bool
	samples    []diagnosis.Sample
	load       diagnosis.Load
	values     map[string]map[string]string // by function
	changed    responses.Changes
}

// isOver says that a program does not stand because it was asked to, nor run: one that
// has been asked may do so late.
func isOver(st session.State) bool { return !running(st.Status) && st.Status != session.Paused }

// unbegun says that a program takes time of the processor and is not in the user's code:
// its debugger is still at work in it.
func (seen *sightings) unbegun() bool {
	users := func(s diagnosis.Sample) bool { return len(s.Users()) > 0 }
	return len(seen.samples) > 0 && seen.load.Known && !slices.ContainsFunc(seen.samples, users) &&
		diagnosis.HangOf(seen.samples, seen.load, false) == diagnosis.BusyLoop
}

// runOn lets the program go on for a while, and sees how much of a core it takes.
// Ended says that it came to a stop or its end by itself.
func (x *examination) runOn(ctx context.Context, seen *sightings) (ended bool, err error) {
	if x.s.State().Status == session.Paused {
		if err := x.s.Continue(ctx, 0); err != nil {
			return false, err
		}
		if st, err := x.s.Wait(ctx, betweenTwo); err != nil || isOver(st) { // going on takes some time of the processor too
			return true, err
		}
	}
	load, ended, err := x.load(ctx)
	for n := 1; n < loads && err == nil && !ended && load.Busy() && !diagnosis.Runs(seen.samples); n++ {
		var again diagnosis.Load
		again, ended, err = x.load(ctx)
		load.Share = min(load.Share, again.Share)
	}
	if err != nil || ended {
		return true, err
	}
	if load.Known {
		seen.load = diagnosis.Load{Share: max(seen.load.Share, load.Share), Known: true}
	}
	return false, nil
}

// loads is how often it is measured how much a program computes all of whose threads
// wait: the debugger's own work in it passes, that of a thread which is not seen goes on.
const loads = 3

// load measures for a while how much of the time the program computes.
func (x *examination) load(ctx context.Context) (load diagnosis.Load, ended bool, err error) {
	const checks = 15
	computing, told := 0, 0
	for range checks {
		st, err := x.s.Wait(ctx, betweenTwo/checks)
		if err != nil || isOver(st) {
			return load, true, err
		}
		if runs, known := process.Runnable(x.s.ProgramPID()); known {
			told++
			if runs {
				computing++
			}
		}
	}
	if told > 0 {
		load = diagnosis.Load{Share: float64(computing) / float64(told), Known: true}
	}
	return load, false, nil
}

// pauseLimit is how long a program may take to stand still.
const pauseLimit = time.Second

// pause has the program stand still, where it can be had to.
func (x *examination) pause(ctx context.Context) error {
	if err := x.s.Pause(ctx, 0); err != nil && running(x.s.State().Status) {
		if st, ended := x.s.Wait(ctx, pauseLimit); ended == nil && isOver(st) { // as it was asked
			return nil
		}
		return err
	}
	_, err := x.s.Wait(ctx, pauseLimit)
	return err
}

// look notes what the threads are at, and which variables have moved where the program
// stands.
func (x *examination) look(ctx context.Context, seen *sightings) error {
	sample, err := x.sample(ctx)
	if err != nil {
		return err
	}
	seen.samples = append(seen.samples, sample)
	if x.s.State().Status == session.Paused {
		function, now := x.values(ctx)
		seen.changed = differing(seen.values[function], now, seen.changed)
		if seen.values == nil {
			seen.values = map[string]map[string]string{}
		}
		seen.values[function] = now
	}
	return nil
}

// sample is what the threads are at.
func (x *examination) sample(ctx context.Context) (diagnosis.Sample, error) {
	threads, err := x.s.Threads(ctx, "", hangFrames)
	if err != nil {
		return nil, err
	}
	w := x.h.show(x.s)
	var sample diagnosis.Sample
	for _, g := range threads.Groups {
		t := diagnosis.Thread{Name: g.Name, Count: g.Count, Waiting: g.Waiting, Object: g.Object, Endless: g.Endless}
		for _, f := range g.Frames {
			if !f.Internal && f.File != "" && f.Line > 0 {
				t.At, t.In, t.File, t.Line = w.at(f.File, f.Line), f.Function, f.File, f.Line
				break
			}
		}
		sample = append(sample, t)
	}
	return sample, nil
}

// values are the plain locals of the function in which the program stands, to see which
// of them move.
func (x *examination) values(ctx context.Context) (function string, values map[string]string) {
	v, err := x.s.ViewWithoutOutput(ctx)
	if err != nil || v.Frame == nil {
		return "", nil
	}
	values = map[string]string{}
	for _, local := range v.Locals {
		values[local.Name] = untyped(local.Value, local.Type)
	}
	return v.Frame.Function, values
}

// differing are the variables that were another value at the last look at the same
// function; last are those of the look before, where there was none.
func differing(before, now map[string]string, last responses.Changes) responses.Changes {
	if before == nil || now == nil {
		return last
	}
	var changes responses.Changes
	for name, value := range now {
		if old, there := before[name]; there && old != value {
			changes = append(changes, responses.Change{Name: name, Old: old, New: value})
		}
	}
	return changes
}

// shownSamples are the samples for people; what was the same in all is told once.
func shownSamples(samples []diagnosis.Sample) [][]string {
	var all [][]string
	for _, s := range samples {
		users := len(s.Users()) > 0
		var lines []string
		for _, t := range s {
			if (t.At != "" || !users) && len(lines) < hangGroups {
				lines = append(lines, threadLine(t))
			}
		}
		all = append(all, lines)
	}
	if len(all) > 0 && !slices.ContainsFunc(all, func(lines []string) bool { return !slices.Equal(lines, all[0]) }) {
		return all[:1]
	}
	return all
}

// threadLine is "2 goroutines wait for a lock (mu, held by goroutine 7) at a.go:12 in main.f".
func threadLine(t diagnosis.Thread) string {
	line := t.Name
	if t.Count > 1 {
		line = fmt.Sprintf("%d like %s", t.Count, t.Name)
	}
	if t.Waiting != "" {
		line += " waits: " + t.Waiting
		if t.Object != "" {
			line += " (" + t.Object + ")"
		}
	}
	if t.At != "" {
		line += " at " + t.At + " in " + t.In
	}
	return line
}

// hanging shows where a program stands that does not end.
func (x *examination) hanging(ctx context.Context) error {
	w := x.h.show(x.s)
	if f := x.v.Frame; f != nil {
		x.data.Location, x.data.Function, x.data.Snapshot = w.at(f.File, f.Line), f.Function, w.snapshot(f, snapshotContext)
	}
	switch x.verdict {
	case diagnosis.BusyLoop:
		x.data.Message = "it was still computing after " + short(time.Since(x.begun))
		x.locals(x.v.Locals)
	case diagnosis.Deadlock:
		x.data.Message = "its threads wait for what only they can give"
		x.waits(x.culprits())
	case diagnosis.Blocked:
		x.data.Message = "it waits for what comes from outside: no thread of it computes"
		x.waits(x.culprits())
		x.doubt()
	}
	return x.callers(ctx)
}

// doubt says what a program that is blocked may wait for after all.
func (x *examination) doubt() {
	if len(x.seen) == 0 {
		return
	}
	last := x.seen[len(x.seen)-1]
	if diagnosis.Inner(last) {
		x.data.Message += "; a timer, a time limit or a signal may end that"
	}
	if n := diagnosis.Locks(last); n > 1 {
		x.data.Message += fmt.Sprintf("; threads wait for %d locks, perhaps for each other's", n)
	}
}

// asleep shows who waits for what where the program's own runtime has found a deadlock.
func (x *examination) asleep(ctx context.Context) error {
	sample, err := x.sample(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil { // the verdict stands without it
		x.data.Samples = shownSamples([]diagnosis.Sample{sample})
	}
	return nil
}

// culprits are the threads that the verdict is about, the one that tells most first.
func (x *examination) culprits() []diagnosis.Thread {
	if len(x.seen) == 0 {
		return nil
	}
	last := x.seen[len(x.seen)-1]
	if circle := diagnosis.Circle(last); len(circle) > 0 {
		return circle
	}
	return last.Users()
}

// waits says for what a program waits, and where; where the debugger could not stop it
// that is the place.
func (x *examination) waits(threads []diagnosis.Thread) {
	d := &x.data
	if len(threads) == 0 {
		if x.v.Frame == nil {
			d.Message = "no function of it runs: it waits for an event (a timer, a connection, a promise)"
		}
		return
	}
	t := threads[0]
	if t.Waiting != "" && len(threads) == 1 {
		d.Message = "it waits for " + strings.TrimPrefix(t.Waiting, "waiting for ")
		if t.Object != "" {
			d.Message += " (" + t.Object + ")"
		}
	}
	if x.v.Frame == nil && t.File != "" {
		d.Location, d.Function = t.At, t.In
		x.snapshotAt(at(t.File, t.Line))
	}
}

// snapshotAt shows the source around a place that no frame is of.
func (x *examination) snapshotAt(place string) {
	loc, err := source.ParseLocation(place)
	if err == nil {
		x.data.Snapshot = x.h.show(x.s).snapshot(&session.Frame{File: loc.File, Line: loc.Line}, snapshotContext)
	}
}

func at(file string, line int) string { return file + ":" + strconv.Itoa(line) }
