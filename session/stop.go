package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
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

// publish makes a stop known; mu is held. hit are the entries that it is about.
func (s *Session) publish(k *link, stop adapters.Stop, hit []*entry) {
	stepping := s.now.Status == Running && (s.now.motion == moveStep || s.now.motion == moveOut)
	st := State{Status: statusOf(stop.Reason), Reason: stop.Reason, ThreadID: stop.ThreadID}
	entryOnly := false
	for _, e := range hit {
		if !e.supplied {
			e.Hits++
		}
		if e.Temporary {
			entryOnly = entryOnly || e.entry
			continue
		}
		st.Hit = append(st.Hit, e.ID)
	}
	if entryOnly && len(st.Hit) == 0 && s.until == nil {
		st.Status, st.Reason = StoppedEntry, "entry"
	}
	if stop.Reason == "signal" {
		st.Signal = stop.Description
	}
	st.Note = stop.Error
	if st.Note == "" && stepping && st.Status != StoppedStep && st.Status != Paused {
		st.Note = "the step was cut short" + cutBy(st)
	}
	s.now.State = st
	s.now.since = time.Now()
	s.now.epoch++
	s.now.stops++
	s.refs.expire()
	s.still = &standstill{
		number: s.now.stops,
		epoch:  s.now.epoch,
		thread: stop.ThreadID,
		link:   k,
		stop:   stop,
		stacks: map[int]*stack{},
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

// decide asks what must be known before a stop is told, and lets the program
// go on by itself where nobody wants this stop: a condition that the adapter
// cannot check, a log message, a step that only needed finishing. A newer stop
// or the end of the program make it give up.
func (l *life) decide(k *link, stop adapters.Stop, seq int) {
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.Request)
	defer cancel()
	if !stop.HasThread {
		stop.ThreadID = l.anyThread(ctx, k)
	}
	if d, reads := l.plan.Dialect.(adapters.StopReader); reads && stop.Ask {
		thread := stop.ThreadID
		stop.ThreadID = k.theirs(thread)
		stop = d.ReadStop(ctx, k, stop)
		stop.ThreadID = thread
	}
	if stop.Reason == "pause" && l.inPassing(ctx, k, stop) {
		l.pauseAgain(ctx, k, stop, seq)
		return
	}
	s := l.s
	hit := l.hitEntries(ctx, k, stop)
	wanted, fault := l.wanted(ctx, k, stop, hit)
	wanted = wanted && l.doubt(ctx, k, &stop, hit)
	if stop.Error == "" {
		stop.Error = fault
	}
	if stop.Resume || !wanted || l.stepUnderContinue(stop) {
		l.goOn(ctx, k, stop, seq)
		return
	}
	reached := l.dropTemporary(ctx)
	l.checkWatches(ctx, k)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.current() || k.stopSeq != seq || k.over {
		return
	}
	if len(hit) == 0 {
		hit = s.store.hitLate(k, stop)
	}
	l.tell(k, stop, hit)
	if u := s.until; u != nil && reached {
		u.note(hit)
		s.until = nil
		s.broadcast()
	}
}

// stepUnderContinue: continuing after an interrupted step finishes the step
// first in some adapters; who said continue does not want to stop there.
func (l *life) stepUnderContinue(stop adapters.Stop) bool {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return stop.Reason == "step" && l.s.now.motion == moveContinue
}

// inPassing says that a pause caught the program at a moment that shows
// nothing, as some adapters know. It is tried again a few times.
func (l *life) inPassing(ctx context.Context, k *link, stop adapters.Stop) bool {
	d, ok := l.plan.Dialect.(adapters.Momentary)
	if !ok {
		return false
	}
	l.s.mu.Lock()
	k.pauses++
	tried := k.pauses > maxPauses
	l.s.mu.Unlock()
	if !tried {
		if frames, err := k.frames(ctx, stop.ThreadID, deepHidden); err == nil && d.Momentary(frames) {
			return true
		}
	}
	l.s.mu.Lock()
	k.pauses = 0
	l.s.mu.Unlock()
	return false
}

// pauseAgain lets the program run for a moment more.
func (l *life) pauseAgain(ctx context.Context, k *link, stop adapters.Stop, seq int) {
	l.goOn(ctx, k, stop, seq)
	if err := k.Call(ctx, "pause", godap.PauseArguments{ThreadId: k.theirs(stop.ThreadID)}, nil); err != nil {
		l.s.log.Debug("pause again", "error", err)
	}
}

// anyThread picks a thread for a stop that names none, -1 when there is none.
func (l *life) anyThread(ctx context.Context, k *link) int {
	threads, err := k.threads(ctx)
	if err != nil || len(threads) == 0 {
		return -1
	}
	return threads[0].Id
}

// hitEntries names the breakpoints that a stop is about: by the adapter's ids,
// else by the place where the program stands.
func (l *life) hitEntries(ctx context.Context, k *link, stop adapters.Stop) []*entry {
	s := l.s
	s.mu.Lock()
	hit := s.store.hit(k, stop)
	s.mu.Unlock()
	if len(hit) > 0 || !strings.Contains(stop.Reason, "breakpoint") || len(stop.Hit) > 0 {
		return hit
	}
	top, err := topFrame(ctx, k, stop.ThreadID)
	if err != nil || top.Source == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.at(top.Source.Path, top.Line)
}

func topFrame(ctx context.Context, k *link, thread int) (godap.StackFrame, error) {
	frames, err := k.frames(ctx, thread, 1)
	switch {
	case err != nil:
		return godap.StackFrame{}, err
	case len(frames) == 0:
		return godap.StackFrame{}, errors.New("the thread has no frames")
	}
	return frames[0], nil
}

// wanted says whether somebody wants this stop, supplying what the adapter
// cannot: conditions, hit conditions and log messages.
func (l *life) wanted(ctx context.Context, k *link, stop adapters.Stop, hit []*entry) (wanted bool, failed string) {
	supplied := slices.ContainsFunc(hit, func(e *entry) bool { return e.supplied })
	if len(hit) == 0 || !supplied && !l.stopsOnFailure() {
		return true, ""
	}
	frame, err := topFrame(ctx, k, stop.ThreadID)
	if err != nil {
		return true, err.Error()
	}
	for _, e := range hit {
		stops, why := l.stopsAt(ctx, k, frame.Id, e)
		wanted = wanted || stops
		if why != "" {
			failed = why
		}
	}
	return wanted, failed
}

// stopsAt checks one entry whose condition, count or message we supply.
func (l *life) stopsAt(ctx context.Context, k *link, frame int, e *entry) (stops bool, failed string) {
	s := l.s
	s.mu.Lock()
	b, supplied := e.Breakpoint, e.supplied
	s.mu.Unlock()
	if !supplied {
		return true, l.conditionFailed(ctx, k, frame, b)
	}
	if b.Condition != "" {
		v, err := l.evaluate(ctx, k, frame, b.Condition)
		if err != nil {
			return true, fmt.Sprintf("the condition %q of breakpoint %d failed: %s", b.Condition, b.ID, l.because(err))
		}
		if !truthy(v.Result) {
			return false, ""
		}
	}
	s.mu.Lock()
	e.Hits++
	n := e.Hits
	s.mu.Unlock()
	if b.HitCondition != "" && !hitsNow(b.HitCondition, n) {
		return false, ""
	}
	if b.LogMessage != "" {
		s.out.Write(output.Log, l.logText(ctx, k, frame, b.LogMessage)+"\n")
		return false, ""
	}
	return true, ""
}

// stopsOnFailure says that a stop at a condition may mean that it failed.
func (l *life) stopsOnFailure() bool {
	return l.plan.Quirks.StopsOnFailedCondition
}

// mayHaveFailed says that there is a condition which the adapter checks so; mu is held.
func (l *life) mayHaveFailed() bool {
	return l.stopsOnFailure() && slices.ContainsFunc(l.s.store.entries, func(e *entry) bool {
		return e.Enabled && e.Condition != "" && !e.supplied
	})
}

// conditionFailed evaluates the condition of a breakpoint that the adapter
// checks once more: has it stopped because that failed?
func (l *life) conditionFailed(ctx context.Context, k *link, frame int, b Breakpoint) string {
	if b.Condition == "" || !l.stopsOnFailure() {
		return ""
	}
	if _, err := l.evaluate(ctx, k, frame, b.Condition); err != nil {
		return fmt.Sprintf("the condition %q of breakpoint %d failed: %s", b.Condition, b.ID, l.because(err))
	}
	return ""
}

// because is why an evaluation failed, in the words of the program's language.
func (l *life) because(err error) string {
	if refused, ok := errors.AsType[*dap.RequestError](err); ok {
		if plain, _ := l.plan.Dialect.Fault("evaluate", refused); plain != "" {
			return plain
		}
	}
	return reason(err)
}

// goOn lets the program run on after a stop that nobody is told of.
func (l *life) goOn(ctx context.Context, k *link, stop adapters.Stop, seq int) {
	l.s.mu.Lock()
	if !l.current() || k.stopSeq != seq {
		l.s.mu.Unlock()
		return
	}
	k.owed = true
	l.s.mu.Unlock()
	err := k.Send("continue", godap.ContinueArguments{ThreadId: k.theirs(stop.ThreadID)}).WaitOpen(ctx, nil)
	if err == nil || ctx.Err() != nil {
		return
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.current() && k.stopSeq == seq {
		stop.Error = "continuing by itself failed: " + reason(err)
		l.tell(k, stop, nil)
	}
}

// evaluate asks for one expression in a frame.
func (l *life) evaluate(ctx context.Context, k *link, frame int, expression string) (godap.EvaluateResponseBody, error) {
	text, kind := expressionIn(l.plan.Dialect, frame, expression)
	var body godap.EvaluateResponseBody
	err := k.Call(ctx, "evaluate", evaluation{Expression: text, FrameID: frame, Context: kind}, &body)
	if err == nil {
		err = l.s.failedResult(expression, body)
	}
	return body, err
}

// logText fills the {expressions} of a log message.
func (l *life) logText(ctx context.Context, k *link, frame int, message string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(message, "{")
		expr, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(message)
			return b.String()
		}
		b.WriteString(before)
		if v, err := l.evaluate(ctx, k, frame, expr); err != nil {
			b.WriteString("{" + expr + ": " + l.because(err) + "}")
		} else {
			b.WriteString(v.Result)
		}
		message = after
	}
}

// truthy reads the adapter's rendering of a condition's value.
func truthy(v string) bool {
	switch strings.TrimSpace(v) {
	case "", "false", "False", "FALSE", "0", "0.0", "nil", "null", "None", "undefined", "NaN", `""`, "''":
		return false
	}
	return true
}
