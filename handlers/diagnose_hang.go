package handlers

import (
	"context"
	"fmt"
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

// watch looks at a program that is still running: it is let run between two looks and
// left paused at the last.
func (x *examination) watch(ctx context.Context) error {
	var samples []diagnosis.Sample
	var load diagnosis.Load
	var before map[string]string
	for n := range looks {
		if n > 0 {
			share, ended, err := x.runOn(ctx)
			if err != nil || ended {
				return err
			}
			load.Known = share >= 0
			load.Share = max(load.Share, share)
		}
		if stands, err := x.pause(ctx); err != nil || !stands {
			return err
		}
		sample, err := x.sample(ctx)
		if err != nil {
			return err
		}
		samples = append(samples, sample)
		now := x.values(ctx)
		x.data.Changed = differing(before, now, x.data.Changed)
		before = now
	}
	x.verdict = diagnosis.HangOf(samples, load)
	x.data.Samples = shownSamples(samples)
	return nil
}

// runOn lets the program go on for a while. Share is how much of a core it took then,
// -1 where nobody knows; ended says that it came to a stop or its end by itself.
func (x *examination) runOn(ctx context.Context) (share float64, ended bool, err error) {
	before, known := process.CPU(x.s.PID())
	begun := time.Now()
	if err := x.s.Continue(ctx, 0); err != nil {
		return -1, false, err
	}
	st, err := x.s.Wait(ctx, betweenTwo)
	if err != nil || !running(st.Status) {
		return -1, true, err
	}
	after, still := process.CPU(x.s.PID())
	if !known || !still {
		return -1, false, nil
	}
	return float64(after-before) / float64(time.Since(begun)), false, nil
}

// pause has the program stand still; false where it did so, or ended, by itself.
func (x *examination) pause(ctx context.Context) (bool, error) {
	if err := x.s.Pause(ctx, 0); err != nil && running(x.s.State().Status) {
		return false, err
	}
	st, err := x.s.Wait(ctx, watchTime)
	return st.Status == session.Paused, err
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

// shownSamples are the samples for people; one that is as the one before says so.
func shownSamples(samples []diagnosis.Sample) [][]string {
	var all [][]string
	for _, s := range samples {
		var lines []string
		for _, t := range s {
			lines = append(lines, threadLine(t))
		}
		all = append(all, lines)
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
		x.data.Message = "it was still computing after " + short(x.v.State.Running+time.Until(x.over))
		x.locals(x.v.Locals)
	case diagnosis.Deadlock:
		x.data.Message = "all of its threads wait for each other"
	case diagnosis.Blocked:
		x.data.Message = "it waits, and takes no time of the processor"
	}
	return x.callers(ctx)
}
