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
	"aidb-mcp/session/inspect"
	"aidb-mcp/session/output"
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
	stepping := s.now.Status == Running && s.now.motion.steps()
	st := State{Status: statusOf(stop.Reason), Reason: stop.Reason, ThreadID: stop.ThreadID, Hit: d.Hit}
	if d.Entry && s.until == nil {
		st.Status, st.Reason = StoppedEntry, "entry"
	}
	if stop.Reason == "signal" {
		st.Signal = stop.Description
	}
	st.Note = stop.Error
	if st.Note == "" && stepping && st.Status != StoppedStep && st.Status != Paused {
		st.Note = "the step was cut short" + cutBy(st)
	}
	st.Note = joinText(st.Note, k.besides(d))
	s.now.State = st
	s.now.since = time.Now()
	s.now.epoch++
	s.now.stops++
	s.refs.expire()
	s.still = &stopPoint{
		number: s.now.stops,
		epoch:  s.now.epoch,
		thread: stop.ThreadID,
		link:   k,
		stop:   stop,
		placed: d.Placed,
		stacks: map[int]*inspect.Stack{},
	}
	s.broadcast()
}

func cutBy(st State) string {
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
	s.refs.expire()
	s.broadcast()
}

// stopOf is what the breakpoints know of a stop; mu is held.
func (k *connection) stopOf(stop adapters.Stop) breakpoints.Stop {
	return breakpoints.Stop{
		Connection: k.number,
		Reason:     stop.Reason,
		Hit:        stop.Hit,
		Stepping:   k.run.s.now.motion.steps(),
		Vague:      stop.Vague,
		Unjudged:   stop.Unjudged,
	}
}

// immediate says that a stop can be published as it is; mu is held.
func (l *run) immediate(k *connection, stop adapters.Stop) bool {
	b := &l.s.breakpoints
	mayHaveFailed := l.plan.Capabilities.Breakpoints.StopsOnFailedCondition && b.Checked()
	interrupted := l.s.now.motion == moveContinue && stop.Reason == "step"
	return stop.HasThread && !stop.Resume && !stop.Ask && !stop.Vague && !stop.Unjudged && !interrupted && stop.Reason != "pause" &&
		b.Immediate() && !b.Doubtful(k.stopOf(stop)) && !mayHaveFailed
}

// checked says that a stop is at a breakpoint whose condition the adapter has
// checked, so that its dialect can say whether that worked; mu is held.
func (l *run) checked(k *connection, stop adapters.Stop) bool {
	if l.plan.Capabilities.Stops.Read == nil {
		return false
	}
	b := &l.s.breakpoints
	hit := b.Candidates(k.stopOf(stop))
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
	stop = l.complete(ctx, k, stop)
	if stop.Reason == "pause" && len(others) == 0 && l.inPassing(ctx, k, stop) {
		l.pauseAgain(ctx, k, stop, seq)
		return
	}
	var wanted []heldStop
	if !stop.Resume { // else it is nothing to the user: no hit, and nothing to log
		d, ok := l.meaning(ctx, k, &stop, seq)
		if !ok {
			return
		}
		if !stop.Resume && d.Stop && !l.stepUnderContinue(stop) {
			wanted = append(wanted, heldStop{k, stop, d})
		}
	}
	wanted = append(wanted, l.beside(ctx, k, others, seq)...)
	if len(wanted) == 0 {
		l.goOn(ctx, k, stop, seq)
		return
	}
	first, rest := order(wanted)
	l.show(ctx, first, rest, seq)
}

// show publishes a stop that somebody wants, and keeps those of further threads.
func (l *run) show(ctx context.Context, first heldStop, rest []heldStop, seq int) {
	k, stop, d := first.link, first.stop, first.decision
	l.dropTemporary(ctx)
	l.checkWatches(ctx, k)
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.deciding(k, seq) {
		return
	}
	if len(d.Hit) == 0 && d.Reached == "" && !d.Entry {
		d.Hit = s.breakpoints.Late(k.stopOf(stop))
	}
	l.held = append(without(l.held, k), rest...)
	l.announce(k, stop, d)
	if u := s.until; u != nil {
		u.reached = d.Reached
		s.until = nil
		s.broadcast()
	}
}

// complete asks for what the adapter left out of a stop.
func (l *run) complete(ctx context.Context, k *connection, stop adapters.Stop) adapters.Stop {
	if !stop.HasThread {
		stop.ThreadID = l.anyThread(ctx, k)
	}
	if read := l.plan.Capabilities.Stops.Read; read != nil && stop.Ask {
		thread := stop.ThreadID
		stop.ThreadID = k.theirs(thread)
		stop = read(ctx, k, stop)
		stop.ThreadID = thread
	}
	return stop
}

// deciding says that nothing newer has overtaken the stop with this number; mu is held.
func (l *run) deciding(k *connection, seq int) bool {
	return l.current() && k.stopSeq == seq && !k.over
}

// meaning finds out what a stop is about and writes what it logs. It puts right
// a reason that is not the true one, and notes a condition that failed. It is
// not ok when the stop has been overtaken.
func (l *run) meaning(ctx context.Context, k *connection, stop *adapters.Stop, seq int) (d breakpoints.Decision, ok bool) {
	s := l.s
	s.mu.Lock()
	at := k.stopOf(*stop)
	doubtful := s.breakpoints.Doubtful(at)
	needsPlace := s.breakpoints.NeedsPlace(at) || doubtful
	s.mu.Unlock()
	frames := &framesOf{link: k, thread: stop.ThreadID}
	if needsPlace {
		at.File, at.Line = frames.place(ctx)
	}
	s.mu.Lock()
	hit := s.breakpoints.Candidates(at)
	questions := s.breakpoints.Questions(at, hit, l.plan.Capabilities.Breakpoints.StopsOnFailedCondition)
	s.mu.Unlock()
	answers := l.judge(ctx, frames, questions)

	s.mu.Lock()
	if !l.deciding(k, seq) {
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

// stepUnderContinue: continuing after an interrupted step finishes the step
// first in some adapters; who said continue does not want to stop there.
func (l *run) stepUnderContinue(stop adapters.Stop) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return stop.Reason == "step" && l.s.now.motion == moveContinue
}

// inPassing says that a pause caught the program at a moment that shows
// nothing, as some adapters know. It is tried again a few times.
func (l *run) inPassing(ctx context.Context, k *connection, stop adapters.Stop) bool {
	l.s.mu.Lock()
	k.pauses++
	last := k.pauses > maxPauses
	l.s.mu.Unlock()
	if !last && l.transient(ctx, k, stop.ThreadID) {
		return true
	}
	lineless := l.lineless(ctx, k, stop.ThreadID)
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

func (l *run) transient(ctx context.Context, k *connection, thread int) bool {
	transient := l.plan.Capabilities.Stops.Transient
	if transient == nil {
		return false
	}
	frames, err := k.frames(ctx, thread, deepHidden)
	return err == nil && transient(frames)
}

// lineless says that a thread which was running stands at an instruction that
// was made from no line.
func (l *run) lineless(ctx context.Context, k *connection, thread int) bool {
	lineless := l.plan.Capabilities.Stops.Lineless
	l.s.mu.Lock()
	running := l.s.now.Status == Running // else it is a call by an expression that was interrupted
	l.s.mu.Unlock()
	if lineless == nil || !running {
		return false
	}
	frames, err := k.frames(ctx, thread, 1)
	return err == nil && len(frames) > 0 && lineless(ctx, k, k.theirs(thread), frames[0])
}

// pauseAgain lets the program run for a moment more: when the next pause follows at
// once it has hardly moved. The moments grow, for on a busy machine the program may
// not have been given the processor in the first of them.
func (l *run) pauseAgain(ctx context.Context, k *connection, stop adapters.Stop, seq int) {
	l.s.mu.Lock()
	moment := betweenPauses << (k.pauses / 2)
	l.s.mu.Unlock()
	l.goOn(ctx, k, stop, seq)
	if !sleep.For(ctx, moment) {
		return
	}
	l.s.mu.Lock()
	overtaken := !l.deciding(k, seq)
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
	threads, err := k.threads(ctx)
	if err != nil || len(threads) == 0 {
		return -1
	}
	return threads[0].Id
}

// because is why an evaluation failed, in the words of the program's language.
func (l *run) because(err error) string {
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		if plain, _ := l.plan.Dialect.Fault("evaluate", refused); plain != "" {
			return plain
		}
	}
	return reason(err)
}

// goOn lets the program run on after a stop that is not published.
func (l *run) goOn(ctx context.Context, k *connection, stop adapters.Stop, seq int) {
	l.s.mu.Lock()
	if !l.current() || k.stopSeq != seq {
		l.s.mu.Unlock()
		return
	}
	k.owed, k.letGo = true, true
	l.s.mu.Unlock()
	err := k.Send("continue", godap.ContinueArguments{ThreadId: k.theirs(stop.ThreadID)}).WaitOpen(ctx, nil)
	if err == nil || ctx.Err() != nil {
		return
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.current() && k.stopSeq == seq {
		stop.Error = "continuing by itself failed: " + reason(err)
		l.announce(k, stop, breakpoints.Decision{Stop: true})
	}
}
