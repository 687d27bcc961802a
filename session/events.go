package session

import (
	"encoding/json"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
)

// onEvent receives the adapter's events in the order of the wire, on the
// connection's reading goroutine: it changes the state and never waits.
func (l *life) onEvent(k *link, e dap.Event) {
	switch e.Name {
	case "initialized":
		l.onceInitialized.Do(func() { close(l.initialized) })
	case "stopped":
		l.onStopped(k, e.Body)
	case "continued":
		l.onContinued()
	case "exited":
		l.onExited(e.Body)
	case "terminated":
		l.onTerminated()
	case "output":
		l.onOutput(e.Body)
	case "breakpoint":
		l.onBreakpoint(e.Body)
	case "process":
		l.onProcess(e.Body)
	case "capabilities":
		l.onCapabilities(e.Body)
	}
}

// onStopped publishes a stop at once when nothing has to be asked first;
// otherwise a goroutine decides about it, and the program counts as running
// until it has.
func (l *life) onStopped(k *link, raw json.RawMessage) {
	var body godap.StoppedEventBody
	if !l.decode("stopped", raw, &body) {
		return
	}
	stop := l.plan.Dialect.Stopped(body)
	if stop.Gone != "" {
		l.onGone(stop.Gone)
		return
	}
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.current() {
		return
	}
	l.stopSeq++
	if l.plain(stop) {
		s.publish(k, stop, s.store.hit(stop))
		return
	}
	go l.decide(k, stop, l.stopSeq)
}

// onGone follows the end of a program that was killed behind the adapter's back.
func (l *life) onGone(signal string) {
	l.s.mu.Lock()
	l.signal = signal
	l.s.mu.Unlock()
	l.onceExited.Do(func() { close(l.exited) })
	l.finish()
}

// plain says that a stop can be told as it is; mu is held.
func (l *life) plain(stop adapters.Stop) bool {
	s := l.s
	interrupted := s.now.motion == moveContinue && stop.Reason == "step"
	return stop.HasThread && !stop.Resume && !interrupted && stop.Reason != "pause" && s.store.simple()
}

// onContinued believes that the program runs, unless the event is the late
// echo of a resume of ours whose stop has come already.
func (l *life) onContinued() {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.current() {
		return
	}
	if l.owed {
		l.owed = false
		return
	}
	if s.now.Status.Stopped() {
		s.setRunning(moveContinue)
	}
}

func (l *life) onExited(raw json.RawMessage) {
	var body godap.ExitedEventBody
	if !l.decode("exited", raw, &body) {
		return
	}
	l.s.mu.Lock()
	code := body.ExitCode
	l.exitCode = &code
	l.s.mu.Unlock()
	l.onceExited.Do(func() { close(l.exited) })
	l.onTerminated()
}

// onTerminated follows the end of the program. While the handshake is under
// way it may be the echo of a failed launch, whose error says more.
func (l *life) onTerminated() {
	l.s.mu.Lock()
	starting := l.s.life == l && l.s.now.Status == Starting
	l.s.mu.Unlock()
	if !starting {
		l.finish()
		return
	}
	go func() {
		<-l.started
		l.finish()
	}()
}

func (l *life) onOutput(raw json.RawMessage) {
	var body godap.OutputEventBody
	if !l.decode("output", raw, &body) {
		return
	}
	switch body.Category {
	case "stdout", "stderr":
		if l.countLogged(body) {
			body.Category = "log"
		}
		l.s.out.write(body.Category, body.Output)
	case "important":
		l.warn(body.Output)
	case "telemetry":
		return
	}
	l.remember(body.Output)
}

// countLogged counts a hit of the logpoint that wrote a line, and says whether
// one did: adapters that print log messages themselves report no stop.
func (l *life) countLogged(body godap.OutputEventBody) (logged bool) {
	if body.Source == nil || body.Line == 0 {
		return false
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	for _, e := range l.s.store.entries {
		if e.LogMessage != "" && !e.supplied && e.Line == body.Line && e.File == body.Source.Path {
			e.Hits++
			logged = true
		}
	}
	return logged
}

// remember keeps the adapter's last words while it starts, for its errors.
func (l *life) remember(text string) {
	const kept = 4000
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.s.now.Status != Starting {
		return
	}
	l.console = append(l.console, text...)
	if extra := len(l.console) - kept; extra > 0 {
		l.console = l.console[extra:]
	}
}

func (l *life) warn(text string) {
	const kept = 5
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if text = tidyText(text, 500); text == "" || slices.Contains(l.warnings, text) || len(l.warnings) >= kept {
		return
	}
	l.warnings = append(l.warnings, text)
}

func (l *life) onBreakpoint(raw json.RawMessage) {
	var body godap.BreakpointEventBody
	if !l.decode("breakpoint", raw, &body) {
		return
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.current() {
		l.s.store.update(body, l.s.files)
	}
}

func (l *life) onProcess(raw json.RawMessage) {
	var body godap.ProcessEventBody
	if !l.decode("process", raw, &body) {
		return
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.current() && l.s.pid == 0 {
		l.s.pid = body.SystemProcessId
	}
}

// onCapabilities merges what the adapter has learnt about itself.
func (l *life) onCapabilities(raw json.RawMessage) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	body := godap.CapabilitiesEventBody{Capabilities: l.caps}
	if l.decode("capabilities", raw, &body) {
		l.caps = body.Capabilities
	}
}
