package session

import (
	"encoding/json"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/breakpoints"
)

// onEvent receives the adapter's events in the order of the wire, on the
// connection's reading goroutine: it changes the state and never waits.
func (l *run) onEvent(k *connection, e dap.Event) {
	defer l.guard("handling the event " + e.Name)
	switch e.Name {
	case "initialized":
		k.onceInitialized.Do(func() { close(k.initialized) })
	case "stopped":
		l.onStopped(k, e.Body)
	case "continued":
		l.onContinued(k)
	case "exited":
		l.onExited(k, e.Body)
	case "terminated":
		l.onTerminated(k)
	case "output":
		l.onOutput(e.Body)
	case "breakpoint":
		l.onBreakpoint(k, e.Body)
	case "process":
		l.onProcess(k, e.Body)
	case "capabilities":
		l.onCapabilities(k, e.Body)
	}
}

// onStopped publishes a stop at once when nothing has to be asked first;
// otherwise a goroutine decides about it, and the program counts as running
// until it has.
func (l *run) onStopped(k *connection, raw json.RawMessage) {
	var body godap.StoppedEventBody
	if !l.decode("stopped", raw, &body) {
		return
	}
	stop := l.plan().Dialect.Stopped(body)
	if stop.Echo {
		return
	}
	if stop.Gone != "" {
		l.onKilled(k, stop.Gone)
		return
	}
	if can := l.plan().Capabilities.Stops; can.Together != nil && (can.RepeatsStops || !l.isStoppedAt(k)) {
		l.spawn("gathering the stops of all threads", func() { l.collectStops(k, body, stop) })
		return
	}
	if seq, undecided := l.decideOrPublish(k, &stop, nil); undecided {
		l.spawn("deciding about a stop", func() { l.decide(k, stop, nil, seq) })
	}
}

// decideOrPublish publishes a stop that needs no question, else it gives the number by
// which that is decided about. Others are of further threads of the program.
func (l *run) decideOrPublish(k *connection, stop *adapters.Stop, others []adapters.Stop) (seq int, undecided bool) {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.isCurrent() || l.isAttachEcho(k, *stop) {
		return 0, false
	}
	s.putStepFirst(stop, others)
	l.translateStop(k, stop)
	for i := range others {
		l.translateStop(k, &others[i])
	}
	if k.pausing && (stop.Internal || stop.Reason == "step" && !s.now.motion.isStep()) {
		stop.Reason = "pause" // it found the program where the debugger itself was at work
	}
	k.pausing, k.lineless = false, 0
	k.stopSeq++
	stop.Ask = stop.Ask || l.isChecked(k, *stop)
	if len(others) > 0 || !l.isImmediate(k, *stop) {
		return k.stopSeq, true
	}
	at := k.breakpointStop(*stop)
	l.publishOrHold(k, *stop, s.breakpoints.Decide(at, s.breakpoints.Candidates(at), nil))
	return 0, false
}

// isAttachEcho says that a stop is only the adapter's word on the attach, of a program
// that stands where it has stopped before; mu is held.
func (l *run) isAttachEcho(k *connection, stop adapters.Stop) bool {
	return l.plan().Capabilities.Start.AttachEndsInPause && stop.Reason == "pause" && k.stopSeq > 0 && !k.letGo && !k.pausing
}

// translateStop puts a stop in our own terms: whose thread it is, and the ids that tell
// breakpoints apart; mu is held.
func (l *run) translateStop(k *connection, stop *adapters.Stop) {
	stop.Hit = l.s.breakpoints.Telling(k.number, stop.Hit)
	if stop.HasThread {
		stop.ThreadID = k.OurThread(stop.ThreadID)
		l.owners[stop.ThreadID] = k
	}
}

// publishOrHold publishes a stop, or keeps it while the session stands at the stop of
// another connection; mu is held.
func (l *run) publishOrHold(k *connection, stop adapters.Stop, d breakpoints.Decision) {
	if now := l.s.still; now != nil && now.connection != k {
		l.held = append(withoutConnection(l.held, k), heldStop{k, stop, d})
		return
	}
	l.s.publish(k, stop, d)
}

// onKilled is called when the program was killed behind the adapter's back.
func (l *run) onKilled(k *connection, signal string) {
	if k != l.rootConnection() {
		l.onChildEnded(k)
		return
	}
	l.ending.kill(signal)
	l.onProgramEnd("")
}

// onContinued believes that the program runs, unless the event is the late
// echo of a resume of ours whose stop has come already.
func (l *run) onContinued(k *connection) {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if !l.isCurrent() {
		return
	}
	if k.owed {
		k.owed = false
		if l.plan().Capabilities.Stops.LosesEarlyPauses {
			l.s.broadcast() // a pause may wait for it
		}
		return
	}
	l.held = withoutConnection(l.held, k)
	if s.still != nil && s.still.connection == k {
		s.setRunning(moveContinue)
		l.publishHeld()
	}
}

func (l *run) onExited(k *connection, raw json.RawMessage) {
	var body godap.ExitedEventBody
	if !l.decode("exited", raw, &body) {
		return
	}
	if k != l.rootConnection() {
		l.onChildExited(k, body.ExitCode)
		return
	}
	if !l.plan().Capabilities.End.DoubtfulExitCode {
		l.ending.exit(body.ExitCode)
	}
	l.ending.settle()
	l.onTerminated(k)
}

// onChildExited takes the exit code of a broker's first child for the program's, unless
// a better one is known.
func (l *run) onChildExited(k *connection, code int) {
	l.s.mu.Lock()
	main := k == l.mainConnection()
	l.s.mu.Unlock()
	if main && l.rootConnection().broker {
		l.ending.exitOfChild(code)
	}
	l.onChildEnded(k)
}

// onTerminated follows the end of the program. While the handshake is under
// way it may be the echo of a failed launch, whose error says more.
func (l *run) onTerminated(k *connection) {
	if k != l.rootConnection() {
		l.onChildEnded(k)
		return
	}
	k.markEnded()
	l.s.mu.Lock()
	starting := l.s.currentRun() == l && l.s.now.Status == Starting
	l.s.mu.Unlock()
	if !starting {
		l.onProgramEnd("")
		return
	}
	l.spawn("following the program's end", func() {
		<-l.started
		l.onProgramEnd("")
	})
}

func (l *run) onOutput(raw json.RawMessage) {
	var body godap.OutputEventBody
	if !l.decode("output", raw, &body) {
		return
	}
	if sift := l.plan().Capabilities.Output.Sift; sift != nil {
		kept, keep := sift(body)
		if !keep {
			return
		}
		body = kept
	}
	switch body.Category {
	case "stdout", "stderr":
		if l.countLogged(body) {
			body.Category = "log"
		}
		if body.Category == "log" || l.programs.first() == nil { // else it only repeats what comes through our own pipes
			l.s.out.Write(body.Category, body.Output)
		}
	case "log":
		l.s.out.Write(body.Category, body.Output)
	case "important":
		l.warn(body.Output)
	case "telemetry":
		return
	}
	l.keepLastWords(body.Output)
}

// countLogged counts a hit of the logpoint that wrote a line, and says whether
// one did: adapters that print log messages themselves report no stop.
func (l *run) countLogged(body godap.OutputEventBody) (logged bool) {
	if body.Source == nil || body.Line == 0 {
		return false
	}
	return l.s.breakpoints.Logged(body.Source.Path, body.Line)
}

// keepLastWords keeps the adapter's last words while it starts, for its errors, and
// whether it has said that it ends the program.
func (l *run) keepLastWords(text string) {
	if said := l.plan().Capabilities.End.EndsAtDisconnect.Said; said != "" && strings.Contains(text, said) {
		l.ending.setAtLeave()
	}
	if l.s.status() == Starting {
		l.words.add(text)
	}
}

func (l *run) warn(text string) {
	if text = tidyText(text, 500); l.notices.warn(text) {
		l.s.log.Warn("the adapter warns", "text", text)
	}
}

func (l *run) onBreakpoint(k *connection, raw json.RawMessage) {
	var body godap.BreakpointEventBody
	if !l.decode("breakpoint", raw, &body) {
		return
	}
	l.correctBreakpoint(&body.Breakpoint)
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.isCurrent() {
		l.s.breakpoints.Update(k.breakpointConnection(), body, l.s.files)
	}
}

func (l *run) onProcess(k *connection, raw json.RawMessage) {
	var body godap.ProcessEventBody
	if !l.decode("process", raw, &body) {
		return
	}
	l.s.mu.Lock()
	if l.isCurrent() && k == l.mainConnection() && l.s.now.Status == Running && l.isStillComing() {
		l.s.now.since = time.Now() // what it did before, it did by itself
	}
	k.begun = true
	l.s.broadcast()
	l.s.mu.Unlock()
	if pid := body.SystemProcessId; l.plan().Mode != adapters.RemoteAttach && (pid <= 0 || process.Gone(pid)) {
		return // it is none of this machine: a container's, or an adapter's invention
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	k.pid = body.SystemProcessId
	if l.isCurrent() && (k == l.mainConnection() || k.broker) {
		l.processes.setProgram(body.SystemProcessId)
	}
}

// onCapabilities merges what the adapter has learnt about itself.
func (l *run) onCapabilities(k *connection, raw json.RawMessage) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	body := godap.CapabilitiesEventBody{Capabilities: k.caps}
	if l.decode("capabilities", raw, &body) {
		k.caps = body.Capabilities
		if correct := l.plan().Capabilities.Start.Correct; correct != nil {
			correct(&k.caps)
		}
	}
}
