package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/system/sleep"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/output"
	"aidb-mcp/session/stopped"
)

// statusOf is the status that a stop reason means.
func statusOf(reason string) Status {
	switch reason {
	case "breakpoint", "function breakpoint", "data breakpoint", "instruction breakpoint":
		return StoppedBreakpoint
	case "step":
		return StoppedStep
	case "entry":
		return StoppedEntry
	case "exception", "signal":
		return StoppedException
	}
	return Paused
}

// publish makes a stop known, with what it means; mu is held.
func (s *Session) publish(k *connection, stop adapters.Stop, d breakpoints.Decision) {
	stepping := s.now.Status == Running && s.now.motion.isStep()
	st := State{Status: statusOf(stop.Reason), Reason: stop.Reason, ThreadID: stop.ThreadID, Hit: d.Hit}
	if d.Entry && s.until == nil {
		st.Status, st.Reason = StoppedEntry, "entry"
	}
	if stop.Reason == "signal" {
		st.Signal = stop.Description
	}
	st.Note = stop.Error
	if st.Note == "" && stepping && st.Status != StoppedStep && st.Status != Paused {
		st.Note = "the step was cut short" + cutByText(st)
	}
	st.Note = joinText(st.Note, k.otherStopsText(d))
	s.now.State = st
	s.now.since = time.Now()
	s.now.epoch++
	s.now.stops++
	s.values.Begin(s.now.stops)
	s.still = s.newStopPoint(k, stop, d.Placed)
	s.broadcast()
}

func cutByText(st State) string {
	switch {
	case len(st.Hit) == 1:
		return fmt.Sprintf(" by breakpoint %d", st.Hit[0])
	case st.Reason != "":
		return " by a stop for another reason: " + st.Reason
	}
	return ""
}

// setRunning is the state of a program that has been let go; mu is held.
func (s *Session) setRunning(how motion) {
	s.now.State = State{Status: Running, ThreadID: -1}
	s.now.since = time.Now()
	s.now.epoch++
	s.now.motion = how
	s.still = nil
	s.values.Expire()
	s.broadcast()
}

// breakpointStop is what the breakpoints know of a stop; mu is held.
func (k *connection) breakpointStop(stop adapters.Stop) breakpoints.Stop {
	return breakpoints.Stop{
		Connection: k.number,
		Reason:     stop.Reason,
		Hit:        stop.Hit,
		Stepping:   k.run.s.now.motion.isStep(),
		Vague:      stop.Vague,
		Unjudged:   stop.Unjudged,
	}
}

// isImmediate says that a stop can be published as it is; mu is held.
func (l *run) isImmediate(k *connection, stop adapters.Stop) bool {
	b := &l.s.breakpoints
	mayHaveFailed := l.plan().Capabilities.Breakpoints.StopsOnFailedCondition && b.Checked()
	interrupted := l.s.now.motion == moveContinue && stop.Reason == "step"
	return stop.HasThread && !stop.Resume && !stop.Ask && !stop.Vague && !stop.Unjudged && !interrupted && stop.Reason != "pause" &&
		b.Immediate() && !b.Doubtful(k.breakpointStop(stop)) && !mayHaveFailed
}

// isChecked says that a stop is at a breakpoint whose condition the adapter has
// checked, so that its dialect can say whether that worked; mu is held.
func (l *run) isChecked(k *connection, stop adapters.Stop) bool {
	if l.plan().Capabilities.Stops.Read == nil {
		return false
	}
	b := &l.s.breakpoints
	hit := b.Candidates(k.breakpointStop(stop))
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
	var wanted []heldStop
	if !stop.Resume { // else it is nothing to the user: no hit, and nothing to log
		d, ok := l.interpretStop(ctx, k, &stop, seq)
		if !ok {
			return
		}
		if !stop.Resume && d.Stop && !l.isLeftoverStep(stop) {
			wanted = append(wanted, heldStop{k, stop, d})
		}
	}
	wanted = append(wanted, l.otherStops(ctx, k, others, seq)...)
	if len(wanted) == 0 {
		l.continueSilently(ctx, k, stop, seq)
		return
	}
	first, rest := publishOrder(wanted)
	l.publishFirst(ctx, first, rest, seq)
}

// publishFirst publishes a stop that somebody wants, and holds those of further
// threads.
func (l *run) publishFirst(ctx context.Context, first heldStop, rest []heldStop, seq int) {
	k, stop, d := first.connection, first.stop, first.decision
	l.dropTemporary(ctx)
	l.checkWatches(ctx, k)
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.isLatestStop(k, seq) {
		return
	}
	if len(d.Hit) == 0 && d.Reached == "" && !d.Entry {
		d.Hit = s.breakpoints.Late(k.breakpointStop(stop))
	}
	l.held = append(withoutConnection(l.held, k), rest...)
	l.publishOrHold(k, stop, d)
	if u := s.until; u != nil {
		u.reached = d.Reached
		s.until = nil
		s.broadcast()
	}
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

// isLatestStop says whether no newer stop has come since the one with this number; mu
// is held.
func (l *run) isLatestStop(k *connection, seq int) bool {
	return l.isCurrent() && k.stopSeq == seq && !k.over
}

// interpretStop finds out what a stop is about and writes what it logs. It puts right
// a reason that is not the true one, and notes a condition that failed. It is
// not ok when the stop has been overtaken.
func (l *run) interpretStop(ctx context.Context, k *connection, stop *adapters.Stop, seq int) (d breakpoints.Decision, ok bool) {
	s := l.s
	s.mu.Lock()
	at := k.breakpointStop(*stop)
	doubtful := s.breakpoints.Doubtful(at)
	needsPlace := s.breakpoints.NeedsPlace(at) || doubtful
	s.mu.Unlock()
	frames := &lazyFrames{connection: k, thread: stop.ThreadID}
	if needsPlace {
		at.File, at.Line = frames.place(ctx)
	}
	s.mu.Lock()
	hit := s.breakpoints.Candidates(at)
	questions := s.breakpoints.Questions(at, hit, l.plan().Capabilities.Breakpoints.StopsOnFailedCondition)
	s.mu.Unlock()
	answers := l.answerQuestions(ctx, frames, questions)

	s.mu.Lock()
	if !l.isLatestStop(k, seq) {
		s.mu.Unlock()
		return d, false
	}
	d = s.breakpoints.Decide(at, hit, answers)
	if len(hit) == 0 && doubtful {
		stop.Reason, d.Stop = s.breakpoints.Explained(at)
	}
	s.mu.Unlock()
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
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return stop.Reason == "step" && l.s.now.motion == moveContinue
}

// isTransient says that a pause caught the program at a moment that shows
// nothing, as some adapters know. It is tried again a few times.
func (l *run) isTransient(ctx context.Context, k *connection, stop adapters.Stop) bool {
	l.s.mu.Lock()
	k.pauses++
	last := k.pauses > maxPauses
	l.s.mu.Unlock()
	if !last && l.isTransientAt(ctx, k, stop.ThreadID) {
		return true
	}
	lineless := l.isLinelessAt(ctx, k, stop.ThreadID)
	if lineless && !last {
		return true
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	k.pauses = 0
	if lineless {
		k.lineless = stop.ThreadID
	}
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
	l.s.mu.Lock()
	running := l.s.now.Status == Running // else it is a call by an expression that was interrupted
	l.s.mu.Unlock()
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
	l.s.mu.Lock()
	moment := betweenPauses << (k.pauses / 2)
	l.s.mu.Unlock()
	l.continueSilently(ctx, k, stop, seq)
	if !sleep.For(ctx, moment) {
		return
	}
	l.s.mu.Lock()
	overtaken := !l.isLatestStop(k, seq)
	l.s.mu.Unlock()
	if overtaken {
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
	l.s.mu.Lock()
	if !l.isCurrent() || k.stopSeq != seq {
		l.s.mu.Unlock()
		return
	}
	k.owed, k.letGo = true, true
	l.s.mu.Unlock()
	err := k.Send("continue", godap.ContinueArguments{ThreadId: k.AdapterThread(stop.ThreadID)}).WaitOpen(ctx, nil)
	if err == nil || ctx.Err() != nil {
		return
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.isCurrent() && k.stopSeq == seq {
		stop.Error = "continuing by itself failed: " + stopped.Reason(err)
		l.publishOrHold(k, stop, breakpoints.Decision{Stop: true})
	}
}
