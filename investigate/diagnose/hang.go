package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/session"
)

// hang is what looks at a program that does not end have shown. It has no verdict where it was not
// looked at, or came to a stop or its end meanwhile.
type hang struct {
	verdict judge.Verdict
	seen    []judge.Sample
	changed []Change                // variables, between the last two looks
	took    map[int]int64           // of the processor, by its threads meanwhile
	still   evidence.Finding[Stall] // of a loop
}

// last is what the threads were at when it was looked at last.
func (h hang) last() judge.Sample {
	if len(h.seen) == 0 {
		return nil
	}
	return h.seen[len(h.seen)-1]
}

// isWorking says whether a thread was seen at work, waiting for nothing.
func (h hang) isWorking(id int) bool {
	return slices.ContainsFunc(slices.Concat(h.seen...), func(t judge.Thread) bool { return t.Waiting == "" && slices.Contains(t.IDs, id) })
}

// isAlone says that all threads of the user's code but one wait for one another, or for that one.
func (h hang) isAlone(t judge.Thread) bool {
	if len(h.seen) == 0 {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(h.last()), func(o judge.Thread) bool { return o.Name == t.Name && slices.Equal(o.IDs, t.IDs) })
	return len(others.Users()) == 0 || judge.Inner(others.Users())
}

// culpritThreads are the threads that the verdict is about, the one that tells most first.
func (h hang) culpritThreads(waits session.Waits) []judge.Thread {
	if ring := h.ringThreads(waits); len(ring) > 0 {
		return ring
	}
	if circle := judge.Circle(h.last()); len(circle) > 0 {
		return circle
	}
	return h.last().Users()
}

// ringThreads are the threads of a ring that was found, those of the last look first that are in it.
func (h hang) ringThreads(waits session.Waits) []judge.Thread {
	var found []judge.Thread
	for _, w := range waits.Deadlock() {
		for _, t := range h.last() {
			if slices.ContainsFunc(w.Threads, func(id int) bool { return slices.Contains(t.IDs, id) }) {
				found = append(found, t)
			}
		}
	}
	return found
}

// deadlockedThread is the first of the threads that a deadlock is about, where the current one, which
// may only wait for their end, is none of them.
func (h hang) deadlockedThread(threads []judge.Thread, waits session.Waits, current int) (judge.Thread, bool) {
	if len(threads) == 0 || len(threads[0].IDs) == 0 || threads[0].File == "" || len(h.seen) == 0 || len(waits.Deadlock()) == 0 && len(judge.Circle(h.last())) == 0 {
		return judge.Thread{}, false
	}
	return threads[0], !slices.ContainsFunc(threads, func(t judge.Thread) bool { return slices.Contains(t.IDs, current) })
}

// doubts say what a program that is blocked may wait for after all.
func (h hang) doubts() (text string) {
	if judge.Inner(h.last()) {
		text = "; a timer, a time limit or a signal may end that"
	}
	if n := judge.Locks(h.last()); n > 1 {
		text += fmt.Sprintf("; threads wait for %d locks, perhaps for each other's", n)
	}
	return text
}

// diagnoseHang shows where a program stands that does not end.
func (o *outcome) diagnoseHang(ctx context.Context) error {
	if f := o.v.Frame; f != nil && f.Internal { // no function of the user's code runs
		o.v.Frame, o.r.Changed = nil, nil
	}
	if f := o.v.Frame; f != nil {
		o.r.showAt(o.userCode, Place{File: f.File, Line: f.Line, Function: f.Function}, f.Column)
	}
	o.addWaits(ctx)
	switch o.r.Verdict {
	case judge.BusyLoop, judge.Cut:
		o.r.Message = o.run.cutText()
		if o.run.request.Program.Attaches() {
			o.r.Message = "it computes"
		}
		if s, is := o.r.Still.Get(); is {
			o.r.Message = s.sentence()
		}
		if elsewhere, err := o.showComputing(ctx); err != nil || elsewhere {
			return err
		}
	case judge.Deadlock:
		o.r.Message = "its threads wait for what only they can give"
		if ring := o.r.Waits.Deadlock(); len(ring) > 0 && len(ring[0].Threads) == 0 {
			o.r.Message = "its tasks wait for what only they can give"
			o.r.showAt(o.userCode, Place{File: ring[0].At.File, Line: ring[0].At.Line, Function: ring[0].At.Function}, 0)
			o.r.Changed = nil
			return nil
		}
		threads := o.run.hang.culpritThreads(o.r.Waits)
		o.showWaits(threads)
		if t, beside := o.run.hang.deadlockedThread(threads, o.r.Waits, o.v.State.ThreadID); beside {
			return o.showThread(ctx, t)
		}
	case judge.Blocked:
		o.r.Message = "no thread of it computes, and what would let it go on is not known"
		if len(o.run.hang.seen) == 0 || judge.FromOutside(o.run.hang.last()) {
			o.r.Message = "it waits for what comes from outside: no thread of it computes"
		}
		o.showWaits(o.run.hang.culpritThreads(o.r.Waits))
		o.r.Message += o.run.hang.doubts()
	}
	return o.addCallers(ctx)
}

// showComputing shows the thread that computes; elsewhere says that it is not the current one,
// whose frames are not shown then.
func (o *outcome) showComputing(ctx context.Context) (elsewhere bool, err error) {
	t, found := judge.Computing(o.run.hang.seen, o.run.hang.took)
	if found {
		clearWaits(o.r.Samples, t)
		if in := judge.Functions(o.run.hang.seen, t); o.r.Verdict == judge.Cut && len(in) > 0 {
			o.r.Message += fmt.Sprintf(", in %s; whether it comes to an end is not known", strings.Join(in, ", "))
		}
		o.r.Busy = evidence.On(t, evidence.Observation{Run: o.run.number, At: t.At, What: t.Name + ", in " + fmt.Sprint(len(o.run.hang.seen)) + " looks", Value: "computes"})
	}
	here := o.v.Frame != nil && found && t.File == o.v.Frame.File && t.In == o.v.Frame.Function
	switch {
	case here || len(o.run.hang.seen) == 0:
		o.r.Locals = o.v.Locals
		return false, nil
	case found && len(t.IDs) > 0:
		return true, o.showThread(ctx, t)
	case o.run.hang.isWorking(o.v.State.ThreadID):
		o.r.Locals = o.v.Locals
		return false, nil
	}
	o.r.Message += "; which of its threads computes is not known"
	o.r.Changed = nil
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

// showThread shows another thread than the current one: its place, its frames and what it knows
// there.
func (o *outcome) showThread(ctx context.Context, t judge.Thread) error {
	o.r.showAt(o.userCode, threadPlace(t), 0)
	o.r.Changed = nil // those are of the current one
	id := t.IDs[0]
	locals, _, err := o.s.Stopped().Variables(ctx, session.Locals, id, t.Frame, session.Page{Count: mostLocals})
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.r.Locals = locals
	frames, total, err := o.s.Stopped().Stack(ctx, id, 0, deepStack)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, f := range frames {
		if !f.Internal && f.File != "" {
			o.r.Frames = append(o.r.Frames, Frame{Place: Place{File: f.File, Line: f.Line, Function: f.Function}})
		}
	}
	if last := len(o.r.Frames) - 1; last >= 0 && total != len(frames) {
		o.r.Frames[last].More = true
	}
	if len(o.r.Frames) > mostFrames {
		o.r.Frames = shorten(o.r.Frames)
	}
	return nil
}

// mostLocals are shown of a thread that is not the current one.
const mostLocals = 12

// showDeadlock shows who waits for what where the program's own runtime has found a deadlock.
func (o *outcome) showDeadlock(ctx context.Context) error {
	sample, _, err := o.run.takeSample(ctx)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err == nil { // the verdict stands without it
		o.r.Samples = []judge.Sample{sample}
	}
	o.addWaits(ctx)
	return nil
}

// showWaits says what a program waits for, and where; where the debugger could not stop
// it that is the place.
func (o *outcome) showWaits(threads []judge.Thread) {
	if len(threads) == 0 {
		if o.v.Frame == nil {
			o.r.Message = "no function of it runs: it waits for an event (a timer, a connection, a promise)"
		}
		return
	}
	t := threads[0]
	if t.Waiting != "" && len(threads) == 1 {
		o.r.Message = "it waits for " + strings.TrimPrefix(t.Waiting, "waiting for ")
		if t.Object != "" {
			o.r.Message += " (" + t.Object + ")"
		}
		if t.Tasks != "" {
			o.r.Message += "; tasks: " + t.Tasks
		}
	}
	if o.v.Frame == nil && t.File != "" {
		o.r.showAt(o.userCode, threadPlace(t), 0)
	}
}

// threadPlace is where a thread is in the user's code.
func threadPlace(t judge.Thread) Place { return Place{File: t.File, Line: t.Line, Function: t.In} }
