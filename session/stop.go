package session

import (
	"context"
	"errors"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/system/sleep"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

// breakpointStop is what the breakpoints know of a stop.
func (k *connection) breakpointStop(m *lifecycle.Machine, stop adapters.Stop) breakpoints.Stop {
	return breakpoints.Stop{
		Connection: k.number,
		Reason:     stop.Reason,
		Hit:        stop.Hit,
		Stepping:   m.Motion().IsStep(),
		Vague:      stop.Vague,
		Unjudged:   stop.Unjudged,
	}
}

// isImmediate says that a stop can be published as it is.
func (l *run) isImmediate(m *lifecycle.Machine, at breakpoints.Stop, stop adapters.Stop) bool {
	b := &l.s.breakpoints
	mayHaveFailed := l.plan().Capabilities.Breakpoints.StopsOnFailedCondition && b.Checked()
	interrupted := m.Motion() == lifecycle.ByContinue && stop.Reason == "step"
	return stop.HasThread && !stop.Resume && !stop.Ask && !stop.Vague && !stop.Unjudged && !interrupted && stop.Reason != "pause" &&
		b.Immediate() && !b.Doubtful(at) && !mayHaveFailed
}

// isChecked says that a stop is at a breakpoint whose condition the adapter has
// checked, so that its dialect can say whether that worked.
func (l *run) isChecked(at breakpoints.Stop) bool {
	if l.plan().Capabilities.Stops.Read == nil {
		return false
	}
	b := &l.s.breakpoints
	hit := b.Candidates(at)
	return len(hit) > 0 && b.Checked(hit...)
}

// decide asks what must be known before a stop is published, and lets the
// program go on by itself where nobody wants this stop: a condition that the
// adapter cannot check, a log message, a step that only needed finishing. A
// newer stop or the end of the program make it give up. Others are what further
// threads have stopped for at the same time.
func (l *run) decide(k *connection, stop adapters.Stop, others []adapters.Stop, seq int) {
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.Request)
	defer cancel()
	stop = l.completeStop(ctx, k, stop)
	if stop.Reason == "pause" && len(others) == 0 && l.isTransient(ctx, k, stop) {
		l.pauseAgain(ctx, k, stop, seq)
		return
	}
	var wanted []lifecycle.Stop
	if !stop.Resume { // else it is nothing to the user: no hit, and nothing to log
		d, ok := l.interpretStop(ctx, k, &stop, seq)
		if !ok {
			return
		}
		if !stop.Resume && d.Stop && !l.isLeftoverStep(stop) {
			wanted = append(wanted, k.stopOf(stop, d))
		}
	}
	wanted = append(wanted, l.otherStops(ctx, k, others, seq)...)
	if len(wanted) == 0 {
		l.continueSilently(ctx, k, stop, seq)
		return
	}
	first, rest := publishOrder(wanted)
	l.publishFirst(ctx, k, first, rest, seq)
}

// publishFirst publishes a stop that somebody wants, and holds those of further
// threads.
func (l *run) publishFirst(ctx context.Context, k *connection, first lifecycle.Stop, rest []lifecycle.Stop, seq int) {
	l.dropTemporary(ctx)
	l.checkWatches(ctx, k)
	l.changeAt(k, seq, func(m *lifecycle.Machine) {
		l.creditLate(m, k, &first)
		m.ArriveTogether(first, rest)
	})
}

// creditLate names the breakpoint of a stop of which none was known, where its id has
// come meanwhile.
func (l *run) creditLate(m *lifecycle.Machine, k *connection, stop *lifecycle.Stop) {
	if d := &stop.Decision; len(d.Hit) == 0 && d.Reached == "" && !d.Entry {
		d.Hit = l.s.breakpoints.Late(k.breakpointStop(m, stop.Event))
	}
}

// changeAt is change for as long as no newer stop of the connection has come since the one
// with this number.
func (l *run) changeAt(k *connection, seq int, event func(m *lifecycle.Machine)) (latest bool) {
	l.change(func(m *lifecycle.Machine) {
		if latest = m.Of(k.number).Sequence == seq && !k.over.Load(); latest {
			event(m)
		}
	})
	return latest
}

// completeStop asks for what the adapter left out of a stop.
func (l *run) completeStop(ctx context.Context, k *connection, stop adapters.Stop) adapters.Stop {
	if !stop.HasThread {
		stop.ThreadID = l.anyThread(ctx, k)
	}
	if read := l.plan().Capabilities.Stops.Read; read != nil && stop.Ask {
		thread := stop.ThreadID
		stop.ThreadID = k.AdapterThread(thread)
		stop = read(ctx, k, stop)
		stop.ThreadID = thread
	}
	return stop
}

// interpretStop finds out what a stop is about and writes what it logs. It puts right
// a reason that is not the true one, and notes a condition that failed. It is
// not ok when the stop has been overtaken.
func (l *run) interpretStop(ctx context.Context, k *connection, stop *adapters.Stop, seq int) (d breakpoints.Decision, ok bool) {
	s := l.s
	var at breakpoints.Stop
	s.change(func(m *lifecycle.Machine) { at = k.breakpointStop(m, *stop) })
	doubtful := s.breakpoints.Doubtful(at)
	frames := &lazyFrames{connection: k, thread: stop.ThreadID}
	if s.breakpoints.NeedsPlace(at) || doubtful {
		at.File, at.Line = frames.place(ctx)
	}
	hit := s.breakpoints.Candidates(at)
	questions := s.breakpoints.Questions(at, hit, l.plan().Capabilities.Breakpoints.StopsOnFailedCondition)
	answers := l.answerQuestions(ctx, frames, questions)
	latest := l.changeAt(k, seq, func(*lifecycle.Machine) {
		d = s.breakpoints.Decide(at, hit, answers)
		if len(hit) == 0 && doubtful {
			stop.Reason, d.Stop = s.breakpoints.Explained(at)
		}
	})
	if !latest {
		return d, false
	}
	if stop.Unjudged && len(questions) > 0 {
		stop.Reason, stop.Error = "breakpoint", ""
	}
	if stop.Error == "" {
		stop.Error = d.Note
	}
	for _, m := range d.Log {
		s.out.Write(output.Log, l.logText(ctx, frames, m.Text)+"\n")
	}
	return d, true
}

// isLeftoverStep says whether a stop ends a step that was interrupted: some adapters
// finish that first when they are told to continue, and who said continue does not want
// to stop there.
func (l *run) isLeftoverStep(stop adapters.Stop) bool {
	return stop.Reason == "step" && l.s.motion() == lifecycle.ByContinue
}

// isTransient says that a pause caught the program at a moment that shows
// nothing, as some adapters know. It is tried again a few times.
func (l *run) isTransient(ctx context.Context, k *connection, stop adapters.Stop) bool {
	last := false
	l.s.change(func(m *lifecycle.Machine) { last = m.Of(k.number).Try(maxPauses) })
	if !last && l.isTransientAt(ctx, k, stop.ThreadID) {
		return true
	}
	lineless := l.isLinelessAt(ctx, k, stop.ThreadID)
	if lineless && !last {
		return true
	}
	at := 0
	if lineless {
		at = stop.ThreadID
	}
	l.s.change(func(m *lifecycle.Machine) { m.Of(k.number).Pause(at) })
	return false
}

func (l *run) isTransientAt(ctx context.Context, k *connection, thread int) bool {
	transient := l.plan().Capabilities.Stops.Transient
	if transient == nil {
		return false
	}
	frames, err := k.frames(ctx, thread, stopped.DeepHidden)
	return err == nil && transient(frames)
}

// isLinelessAt says that a thread which was running stands at an instruction that
// was made from no line.
func (l *run) isLinelessAt(ctx context.Context, k *connection, thread int) bool {
	lineless := l.plan().Capabilities.Stops.Lineless
	running := l.s.status() == Running // else it is a call by an expression that was interrupted
	if lineless == nil || !running {
		return false
	}
	frames, err := k.frames(ctx, thread, 1)
	return err == nil && len(frames) > 0 && lineless(ctx, k, k.AdapterThread(thread), frames[0])
}

// pauseAgain lets the program run for a moment more: when the next pause follows at
// once it has hardly moved. The moments grow, for on a busy machine the program may
// not have been given the processor in the first of them.
func (l *run) pauseAgain(ctx context.Context, k *connection, stop adapters.Stop, seq int) {
	var moment time.Duration
	l.s.change(func(m *lifecycle.Machine) { moment = betweenPauses << (m.Of(k.number).Tries() / 2) })
	l.continueSilently(ctx, k, stop, seq)
	if !sleep.For(ctx, moment) {
		return
	}
	if latest := l.changeAt(k, seq, func(*lifecycle.Machine) {}); !latest {
		return
	}
	if err := l.pause(ctx, k, stop.ThreadID); err != nil {
		l.s.log.Debug("pause again", "error", err)
	}
}

// anyThread picks a thread for a stop that names none, -1 when there is none.
func (l *run) anyThread(ctx context.Context, k *connection) int {
	threads, err := k.Threads(ctx)
	if err != nil || len(threads) == 0 {
		return -1
	}
	return threads[0].Id
}

// failureReason is why an evaluation failed, in the words of the program's language.
func (l *run) failureReason(err error) string {
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		if plain, _ := l.plan().Dialect.Fault("evaluate", refused); plain != "" {
			return plain
		}
	}
	return stopped.Reason(err)
}

// continueSilently resumes the program after a stop that is not published.
func (l *run) continueSilently(ctx context.Context, k *connection, stop adapters.Stop, seq int) {
	if latest := l.changeAt(k, seq, func(m *lifecycle.Machine) { m.Of(k.number).LetGo() }); !latest {
		return
	}
	err := k.Send("continue", godap.ContinueArguments{ThreadId: k.AdapterThread(stop.ThreadID)}).WaitOpen(ctx, nil)
	if err == nil || ctx.Err() != nil {
		return
	}
	l.changeAt(k, seq, func(m *lifecycle.Machine) {
		stop.Error = "continuing by itself failed: " + stopped.Reason(err)
		m.Arrive(k.stopOf(stop, breakpoints.Decision{Stop: true}))
	})
}
