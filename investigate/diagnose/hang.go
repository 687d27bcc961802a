package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/text/brief"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// diagnoseHang shows where a program stands that does not end.
func (x *examination) diagnoseHang(ctx context.Context) error {
	if f := x.v.Frame; f != nil && f.Internal { // no function of the user's code runs
		x.v.Frame, x.r.Changed = nil, nil
	}
	if f := x.v.Frame; f != nil {
		x.r.Place = Place{File: f.File, Line: f.Line, Function: f.Function}
		x.r.Excerpt = x.excerpt(f.File, f.Line, f.Column)
	}
	x.addWaits(ctx)
	switch x.r.Verdict {
	case judge.BusyLoop, judge.Cut:
		x.r.Message = x.cutText()
		if x.request.Program.Attaches() {
			x.r.Message = "it computes"
		}
		if s, is := x.r.Still.Get(); is {
			x.r.Message = s.sentence()
		}
		if elsewhere, err := x.showComputing(ctx); err != nil || elsewhere {
			return err
		}
	case judge.Deadlock:
		x.r.Message = "its threads wait for what only they can give"
		if ring := x.r.Waits.Deadlock(); len(ring) > 0 && len(ring[0].Threads) == 0 {
			x.r.Message = "its tasks wait for what only they can give"
			x.setPlace(judge.Thread{File: ring[0].At.File, Line: ring[0].At.Line, In: ring[0].At.Function})
			x.r.Changed = nil
			return nil
		}
		threads := x.culpritThreads()
		x.showWaits(threads)
		if t, beside := x.deadlockedThread(threads); beside {
			return x.showThread(ctx, t)
		}
	case judge.Blocked:
		x.r.Message = "no thread of it computes, and what would let it go on is not known"
		if len(x.seen) == 0 || judge.FromOutside(x.seen[len(x.seen)-1]) {
			x.r.Message = "it waits for what comes from outside: no thread of it computes"
		}
		x.showWaits(x.culpritThreads())
		x.addDoubts()
	}
	return x.addCallers(ctx)
}

// cutText says what became of a run that was still computing when its time was over.
func (x *examination) cutText() string {
	return "cut after " + brief.Duration(time.Since(x.begun)) + ", under the debugger: it was still computing"
}

// showComputing shows the thread that computes; elsewhere says that it is not the current one,
// whose frames are not shown then.
func (x *examination) showComputing(ctx context.Context) (elsewhere bool, err error) {
	t, found := judge.Computing(x.seen, x.took)
	if found {
		clearWaits(x.r.Samples, t)
		if in := judge.Functions(x.seen, t); x.r.Verdict == judge.Cut && len(in) > 0 {
			x.r.Message += fmt.Sprintf(", in %s; whether it comes to an end is not known", strings.Join(in, ", "))
		}
		x.r.Busy = evidence.On(t, evidence.Observation{Run: x.runs.Made, At: t.At, What: t.Name + ", in " + fmt.Sprint(len(x.seen)) + " looks", Value: "computes"})
	}
	here := x.v.Frame != nil && found && t.File == x.v.Frame.File && t.In == x.v.Frame.Function
	switch {
	case here || len(x.seen) == 0:
		x.r.Locals = x.v.Locals
		return false, nil
	case found && len(t.IDs) > 0:
		return true, x.showThread(ctx, t)
	case x.isWorking(x.v.State.ThreadID):
		x.r.Locals = x.v.Locals
		return false, nil
	}
	x.r.Message += "; which of its threads computes is not known"
	x.r.Changed = nil
	return false, nil
}

// clearWaits removes what a computing thread was seen to wait for: that was the
// debugger's own pause.
func clearWaits(samples []judge.Sample, t judge.Thread) {
	for _, sample := range samples {
		for i := range sample {
			if sample[i].Name == t.Name && slices.Equal(sample[i].IDs, t.IDs) {
				sample[i].Waiting, sample[i].Object = "", ""
			}
		}
	}
}

// isWorking says whether a thread was seen at work, waiting for nothing.
func (x *examination) isWorking(id int) bool {
	return slices.ContainsFunc(slices.Concat(x.seen...), func(t judge.Thread) bool { return t.Waiting == "" && slices.Contains(t.IDs, id) })
}

// deadlockedThread is the first of the threads that a deadlock is about, where the current one, which
// may only wait for their end, is none of them.
func (x *examination) deadlockedThread(threads []judge.Thread) (judge.Thread, bool) {
	if len(threads) == 0 || len(threads[0].IDs) == 0 || threads[0].File == "" || len(x.seen) == 0 || len(x.r.Waits.Deadlock()) == 0 && len(judge.Circle(x.seen[len(x.seen)-1])) == 0 {
		return judge.Thread{}, false
	}
	current := slices.ContainsFunc(threads, func(t judge.Thread) bool { return slices.Contains(t.IDs, x.v.State.ThreadID) })
	return threads[0], !current
}

// showThread shows another thread than the current one: its place, its frames and what it knows
// there.
func (x *examination) showThread(ctx context.Context, t judge.Thread) error {
	x.setPlace(t)
	x.r.Changed = nil // those are of the current one
	id := t.IDs[0]
	locals, _, err := x.s.Stopped().Variables(ctx, session.Locals, id, t.Frame, session.Page{Count: mostLocals})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	x.r.Locals = locals
	frames, total, err := x.s.Stopped().Stack(ctx, id, 0, deepStack)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, f := range frames {
		if !f.Internal && f.File != "" {
			x.r.Frames = append(x.r.Frames, Frame{Place: Place{File: f.File, Line: f.Line, Function: f.Function}})
		}
	}
	if last := len(x.r.Frames) - 1; last >= 0 && total != len(frames) {
		x.r.Frames[last].More = true
	}
	if len(x.r.Frames) > mostFrames {
		x.r.Frames = shorten(x.r.Frames)
	}
	return nil
}

// mostLocals are shown of a thread that is not the current one.
const mostLocals = 12

// addDoubts says what a program that is blocked may wait for after all.
func (x *examination) addDoubts() {
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

// showDeadlock shows who waits for what where the program's own runtime has found a deadlock.
func (x *examination) showDeadlock(ctx context.Context) error {
	sample, _, err := x.takeSample(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil { // the verdict stands without it
		x.r.Samples = []judge.Sample{sample}
	}
	x.addWaits(ctx)
	return nil
}

// culpritThreads are the threads that the verdict is about, the one that tells most first.
func (x *examination) culpritThreads() []judge.Thread {
	if len(x.seen) == 0 {
		return nil
	}
	if ring := x.ringThreads(); len(ring) > 0 {
		return ring
	}
	last := x.seen[len(x.seen)-1]
	if circle := judge.Circle(last); len(circle) > 0 {
		return circle
	}
	return last.Users()
}

// showWaits says what a program waits for, and where; where the debugger could not stop
// it that is the place.
func (x *examination) showWaits(threads []judge.Thread) {
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
		if t.Tasks != "" {
			x.r.Message += "; tasks: " + t.Tasks
		}
	}
	if x.v.Frame == nil && t.File != "" {
		x.setPlace(t)
	}
}

// setPlace makes the place of a thread the place of the diagnosis.
func (x *examination) setPlace(t judge.Thread) {
	x.r.Place = Place{File: t.File, Line: t.Line, Function: t.In}
	x.r.Excerpt = x.excerpt(t.File, t.Line, 0)
}
