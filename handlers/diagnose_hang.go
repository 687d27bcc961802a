package handlers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/process"
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
		if st := x.s.State().Status; st != session.Paused && (!running(st) || !x.s.ShowsRunning()) {
			return nil
		}
		if err := x.look(ctx, &seen); err != nil {
			return err
		}
	}
	x.verdict = diagnosis.HangOf(seen.samples, seen.load)
	x.data.Samples, x.data.Changed = shownSamples(seen.samples), seen.changed
	return nil
}

// sightings are what several looks at a program have shown.
type sightings struct {
	unpausable bool
	samples    []diagnosis.Sample
	load       diagnosis.Load
	values     map[string]string
	changed    responses.Changes
}

// runOn lets the program go on for a while, and sees how much of a core it takes.
// Ended says that it came to a stop or its end by itself.
func (x *examination) runOn(ctx context.Context, seen *sightings) (ended bool, err error) {
	before, known := process.CPU(x.s.PID())
	begun := time.Now()
	if x.s.State().Status == session.Paused {
		if err := x.s.Continue(ctx, 0); err != nil {
			return false, err
		}
	}
	st, err := x.s.Wait(ctx, betweenTwo)
	if err != nil || !running(st.Status) {
		return true, err
	}
	if after, still := process.CPU(x.s.PID()); known && still {
		share := float64(after-before) / float64(time.Since(begun))
		seen.load = diagnosis.Load{Share: max(seen.load.Share, share), Known: true}
	}
	return false, nil
}

// pauseLimit is how long a program may take to stand still.
const pauseLimit = time.Second

// pause has the program stand still, where it can be had to.
func (x *examination) pause(ctx context.Context) error {
	if err := x.s.Pause(ctx, 0); err != nil && running(x.s.State().Status) {
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
		now := x.values(ctx)
		seen.changed = differing(seen.values, now, seen.changed)
		seen.values = now
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
	for _, g := range threads.Groups[:min(len(threads.Groups), hangGroups)] {
		t := diagnosis.Thread{Name: g.Name, Count: g.Count, Waiting: g.Waiting, Object: g.Object}
		for _, f := range g.Frames {
			if !f.Internal && f.File != "" {
				t.At, t.In = w.at(f.File, f.Line), f.Function
				break
			}
		}
		sample = append(sample, t)
	}
	return sample, nil
}

// values are the plain locals of where the program stands, to see which of them move.
func (x *examination) values(ctx context.Context) map[string]string {
	v, err := x.s.ViewWithoutOutput(ctx)
	if err != nil || v.Frame == nil {
		return nil
	}
	values := map[string]string{"": v.Frame.Function}
	for _, local := range v.Locals {
		values[local.Name] = untyped(local.Value, local.Type)
	}
	return values
}

// differing are the variables that were another value at the look before, in the same
// function.
func differing(before, now map[string]string, last responses.Changes) responses.Changes {
	if before == nil || now == nil || before[""] != now[""] {
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
		lines := make([]string, len(s))
		for i, t := range s {
			lines[i] = threadLine(t)
		}
		all = append(all, lines)
	}
	if !slices.ContainsFunc(all, func(lines []string) bool { return !slices.Equal(lines, all[0]) }) {
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
		x.data.Message = "all of its threads wait for what only they can give"
	case diagnosis.Blocked:
		x.data.Message = "nothing of it computes: it waits"
	}
	return x.callers(ctx)
}
