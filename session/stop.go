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
func (k *connection) isImmediate(m *lifecycle.Machine, at breakpoints.Stop, stop adapters.Stop) bool {
	b := &k.run.s.breakpoints
	mayHaveFailed := k.run.plan().Capabilities.Breakpoints.StopsOnFailedCondition && b.Checked()
	interrupted := m.Motion() == lifecycle.ByContinue && stop.Reason == "step"
	return stop.HasThread && !stop.Resume && !stop.Ask && !stop.Vague && !stop.Unjudged && !interrupted && stop.Reason != "pause" &&
		b.Immediate() && !b.Doubtful(at) && !mayHaveFailed && !k.mayNameOthers(at)
}

// mayNameOthers says that the program may have stopped at more breakpoints than the event names.
func (k *connection) mayNameOthers(at breakpoints.Stop) bool {
	return k.run.plan().Capabilities.Stops.AtOnePlace != nil && k.run.s.breakpoints.MayHitMore(at)
}

// addBreakpointsHere adds all breakpoints at the place of a stop to those that its event names. Their
// conditions are judged by us: the adapter has checked some, and does not say which.
func (j judgement) addBreakpointsHere(ctx context.Context, stop *adapters.Stop) {
	k := j.connection
	ids, err := j.run.plan().Capabilities.Stops.AtOnePlace(ctx, k, k.AdapterThread(stop.ThreadID))
	if err != nil {
		j.run.s.log.Debug("which breakpoints are at the place of a stop is not known", "error", err)
	}
	if len(ids) > 1 {
		stop.Hit, stop.Unjudged = ids, true
	}
}

// isChecked says that a stop is at a breakpoint whose condition the adapter has
// checked, so that its dialect can say whether that worked.
func (k *connection) isChecked(at breakpoints.Stop) bool {
	if k.run.plan().Capabilities.Stops.Read == nil {
		return false
	}
	b := &k.run.s.breakpoints
	hit := b.Candidates(at)
	return len(hit) > 0 && b.Checked(hit...)
}

// judgement is about one stop of a connection that somebody has to be asked about before
// it is published. It runs on a goroutine of its own, which ends when that is decided, at
// a newer stop of the connection, after the limit of a request, or with the run.
type judgement struct {
	run        *run
	connection *connection
	sequence   int // of the stop: a newer one overtakes it
}

// decide asks what must be known before a stop is published, and lets the
// program go on by itself where nobody wants this stop: a condition that the
// adapter cannot check, a log message, a step that only needed finishing. A
// newer stop or the end of the program make it give up. Others are what further
// threads have stopped for at the same time.
func (j judgement) decide(stop adapters.Stop, others []adapters.Stop) {
	ctx, cancel := context.WithTimeout(j.run.ctx, j.run.s.limits.Request)
	defer cancel()
	stop = j.completeStop(ctx, stop)
	if stop.Reason == "pause" && len(others) == 0 && j.isTransient(ctx, stop) {
		j.pauseAgain(ctx, stop)
		return
	}
	var wanted []lifecycle.Stop
	if !stop.Resume { // else it is nothing to the user: no hit, and nothing to log
		d, ok := j.interpretStop(ctx, &stop)
		if !ok {
			return
		}
		if !stop.Resume && d.Stop && !j.isLeftoverStep(stop) {
			wanted = append(wanted, j.connection.stopOf(stop, d))
		}
	}
	wanted = append(wanted, j.otherStops(ctx, others)...)
	if len(wanted) == 0 {
		j.continueSilently(ctx, stop)
		return
	}
	first, rest := publishOrder(wanted)
	j.publishFirst(ctx, first, rest)
}

// publishFirst publishes a stop that somebody wants, and holds those of further
// threads.
func (j judgement) publishFirst(ctx context.Context, first lifecycle.Stop, rest []lifecycle.Stop) {
	j.dropTemporary(ctx)
	j.checkWatches(ctx)
	j.changeAt(func(m *lifecycle.Machine) {
		j.creditLate(m, &first)
		m.ArriveTogether(first, rest)
	})
}

// creditLate names the breakpoint of a stop of which none was known, where its id has
// come meanwhile.
func (j judgement) creditLate(m *lifecycle.Machine, stop *lifecycle.Stop) {
	if d := &stop.Decision; len(d.Hit) == 0 && d.Reached == "" && !d.Entry {
		d.Hit = j.run.s.breakpoints.Late(j.connection.breakpointStop(m, stop.Event))
	}
}

// changeAt is change for as long as no newer stop of the connection has come since the one
// with this number.
func (j judgement) changeAt(event func(m *lifecycle.Machine)) (latest bool) {
	j.run.change(func(m *lifecycle.Machine) {
		if latest = m.Of(j.connection.number).Sequence == j.sequence && !j.connection.over.Load(); latest {
			event(m)
		}
	})
	return latest
}

// completeStop asks for what the adapter left out of a stop.
func (j judgement) completeStop(ctx context.Context, stop adapters.Stop) adapters.Stop {
	if !stop.HasThread {
		stop.ThreadID = j.connection.anyThread(ctx)
	}
	if read := j.run.plan().Capabilities.Stops.Read; read != nil && stop.Ask {
		thread := stop.ThreadID
		stop.ThreadID = j.connection.AdapterThread(thread)
		stop = read(ctx, j.connection, stop)
		stop.ThreadID = thread
	}
	return stop
}

// interpretStop finds out what a stop is about and writes what it logs. It puts right
// a reason that is not the true one, and notes a condition that failed. It is
// not ok when the stop has been overtaken.
func (j judgement) interpretStop(ctx context.Context, stop *adapters.Stop) (d breakpoints.Decision, ok bool) {
	s := j.run.s
	var at breakpoints.Stop
	s.change(func(m *lifecycle.Machine) { at = j.connection.breakpointStop(m, *stop) })
	if j.connection.mayNameOthers(at) {
		j.addBreakpointsHere(ctx, stop)
		s.change(func(m *lifecycle.Machine) { at = j.connection.breakpointStop(m, *stop) })
	}
	doubtful := s.breakpoints.Doubtful(at)
	frames := &lazyFrames{connection: j.connection, thread: stop.ThreadID}
	if s.breakpoints.NeedsPlace(at) || doubtful {
		at.File, at.Line = frames.place(ctx)
	}
	hit := s.breakpoints.Candidates(at)
	questions := s.breakpoints.Questions(at, hit, j.run.plan().Capabilities.Breakpoints.StopsOnFailedCondition)
	answers := j.answerQuestions(ctx, frames, questions)
	latest := j.changeAt(func(*lifecycle.Machine) {
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
		s.out.Write(output.Log, j.logText(ctx, frames, m.Text)+"\n")
	}
	return d, true
}

// isLeftoverStep says whether a stop ends a step that was interrupted: some adapters
// finish that first when they are told to continue, and who said continue does not want
// to stop there.
func (j judgement) isLeftoverStep(stop adapters.Stop) bool {
	return stop.Reason == "step" && j.run.s.motion() == lifecycle.ByContinue
}

// isTransient says that a pause caught the program at a moment that shows
// nothing, as some adapters know. It is tried again a few times.
func (j judgement) isTransient(ctx context.Context, stop adapters.Stop) bool {
	last := false
	j.run.s.change(func(m *lifecycle.Machine) { last = m.Of(j.connection.number).Try(maxPauses) })
	if !last && j.isTransientAt(ctx, stop.ThreadID) {
		return true
	}
	lineless := j.isLinelessAt(ctx, stop.ThreadID)
	if lineless && !last {
		return true
	}
	at := 0
	if lineless {
		at = stop.ThreadID
	}
	j.run.s.change(func(m *lifecycle.Machine) { m.Of(j.connection.number).Pause(at) })
	return false
}

func (j judgement) isTransientAt(ctx context.Context, thread int) bool {
	transient := j.run.plan().Capabilities.Stops.Transient
	if transient == nil {
		return false
	}
	frames, err := j.connection.frames(ctx, thread, stopped.DeepHidden)
	return err == nil && transient(frames)
}

// isLinelessAt says that a thread which was running stands at an instruction that
// was made from no line.
func (j judgement) isLinelessAt(ctx context.Context, thread int) bool {
	lineless := j.run.plan().Capabilities.Stops.Lineless
	running := j.run.s.status() == Running // else it is a call by an expression that was interrupted
	if lineless == nil || !running {
		return false
	}
	frames, err := j.connection.frames(ctx, thread, 1)
	return err == nil && len(frames) > 0 && lineless(ctx, j.connection, j.connection.AdapterThread(thread), frames[0])
}

// pauseAgain lets the program run for a moment more: when the next pause follows at
// once it has hardly moved. The moments grow, for on a busy machine the program may
// not have been given the processor in the first of them.
func (j judgement) pauseAgain(ctx context.Context, stop adapters.Stop) {
	var moment time.Duration
	j.run.s.change(func(m *lifecycle.Machine) { moment = betweenPauses << (m.Of(j.connection.number).Tries() / 2) })
	j.continueSilently(ctx, stop)
	if !sleep.For(ctx, moment) {
		return
	}
	if latest := j.changeAt(func(*lifecycle.Machine) {}); !latest {
		return
	}
	if err := j.connection.pause(ctx, stop.ThreadID); err != nil {
		j.run.s.log.Debug("pause again", "error", err)
	}
}

// anyThread picks a thread for a stop that names none, -1 when there is none.
func (k *connection) anyThread(ctx context.Context) int {
	threads, err := k.Threads(ctx)
	if err != nil || len(threads) == 0 {
		return -1
	}
	return threads[0].Id
}

// failureReason is why an evaluation failed, in the words of the program's language.
func (j judgement) failureReason(err error) string {
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		if plain, _ := j.run.plan().Dialect.Fault("evaluate", refused); plain != "" {
			return plain
		}
	}
	return dap.Reason(err)
}

// continueSilently resumes the program after a stop that is not published.
func (j judgement) continueSilently(ctx context.Context, stop adapters.Stop) {
	if latest := j.changeAt(func(m *lifecycle.Machine) { m.Of(j.connection.number).LetGo() }); !latest {
		return
	}
	err := j.connection.Send("continue", godap.ContinueArguments{ThreadId: j.connection.AdapterThread(stop.ThreadID)}).WaitOpen(ctx, nil)
	if err == nil || ctx.Err() != nil {
		return
	}
	j.changeAt(func(m *lifecycle.Machine) {
		stop.Error = "continuing by itself failed: " + dap.Reason(err)
		m.Arrive(j.connection.stopOf(stop, breakpoints.Decision{Stop: true}))
	})
}
