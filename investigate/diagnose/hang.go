package diagnose

import (
	"context"
	"fmt"
	"strings"
	"time"

	"aidb-mcp/investigate/diagnose/judge"
)

// hanging shows where a program stands that does not end.
func (x *examination) hanging(ctx context.Context) error {
	if f := x.v.Frame; f != nil {
		x.r.Place = Place{File: f.File, Line: f.Line, Function: f.Function}
		x.excerpt(f.File, f.Line, f.Column)
	}
	switch x.r.Verdict {
	case judge.BusyLoop:
		x.r.Message = "it was still computing after " + lasting(time.Since(x.begun))
		x.r.Locals = x.v.Locals
	case judge.Deadlock:
		x.r.Message = "its threads wait for what only they can give"
		x.waits(x.culprits())
	case judge.Blocked:
		x.r.Message = "it waits for what comes from outside: no thread of it computes"
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
	if judge.Inner(last) {
		x.r.Message += "; a timer, a time limit or a signal may end that"
	}
	if n := judge.Locks(last); n > 1 {
		x.r.Message += fmt.Sprintf("; threads wait for %d locks, perhaps for each other's", n)
	}
}

// asleep shows who waits for what where the program's own runtime has found a deadlock.
func (x *examination) asleep(ctx context.Context) error {
	sample, err := x.sample(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil { // the verdict stands without it
		x.r.Samples = []judge.Sample{sample}
	}
	return nil
}

// culprits are the threads that the verdict is about, the one that tells most first.
func (x *examination) culprits() []judge.Thread {
	if len(x.seen) == 0 {
		return nil
	}
	last := x.seen[len(x.seen)-1]
	if circle := judge.Circle(last); len(circle) > 0 {
		return circle
	}
	return last.Users()
}

// waits says for what a program waits, and where; where the debugger could not stop it
// that is the place.
func (x *examination) waits(threads []judge.Thread) {
	if len(threads) == 0 {
		if x.v.Frame == nil {
			x.r.Message = "no function of it runs: it waits for an event (a timer, a connection, a promise)"
		}
		return
	}
	t := threads[0]
	if t.Waiting != "" && len(threads) == 1 {
		x.r.Message = "it waits for " + strings.TrimPrefix(t.Waiting, "waiting for ")
		if t.Object != "" {
			x.r.Message += " (" + t.Object + ")"
		}
	}
	if x.v.Frame == nil && t.File != "" {
		x.stands(t)
	}
}

// stands makes the place of a thread that of the diagnosis.
func (x *examination) stands(t judge.Thread) {
	x.r.Place = Place{File: t.File, Line: t.Line, Function: t.In}
	x.excerpt(t.File, t.Line, 0)
}

// lasting writes a duration for people: "850ms", "2.5s", "3m20s".
func lasting(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
