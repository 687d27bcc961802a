package session

import (
	"encoding/json"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
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
	b := &l.s.breakpoints
	l.change(func(m *lifecycle.Machine) {
		known := m.Of(k.number)
		if l.plan().Capabilities.Start.AttachEndsInPause && known.IsAttachEcho(*stop) {
			return
		}
		putStepFirst(m, stop, others)
		l.translateStop(k, stop)
		for i := range others {
			l.translateStop(k, &others[i])
		}
		seq = known.Come(stop, m.Motion())
		at := k.breakpointStop(m, *stop)
		stop.Ask = stop.Ask || l.isChecked(at)
		if len(others) > 0 || !l.isImmediate(m, at, *stop) {
			undecided = true
			return
		}
		m.Arrive(k.stopOf(*stop, b.Decide(at, b.Candidates(at), nil)))
	})
	return seq, undecided
}

// translateStop puts a stop in our own terms: whose thread it is, and the ids that tell
// breakpoints apart.
func (l *run) translateStop(k *connection, stop *adapters.Stop) {
	stop.Hit = l.s.breakpoints.Telling(k.number, stop.Hit)
	if stop.HasThread {
		stop.ThreadID = k.OurThread(stop.ThreadID)
		l.connections.claim(k, stop.ThreadID)
	}
}

// stopOf is a stop of a connection, with what it means.
func (k *connection) stopOf(stop adapters.Stop, d breakpoints.Decision) lifecycle.Stop {
	return lifecycle.Stop{Connection: k.number, Event: stop, Decision: d}
}

// onKilled is called when the program was killed behind the adapter's back.
func (l *run) onKilled(k *connection, signal string) {
	if k != l.connections.root() {
		l.onChildEnded(k)
		return
	}
	l.ending.kill(signal)
	l.onProgramEnd("")
}

// onContinued believes that the program runs, unless the event is the late
// echo of a resume of ours whose stop has come already.
func (l *run) onContinued(k *connection) {
	l.change(func(m *lifecycle.Machine) {
		if echo := m.Continued(k.number); echo && l.plan().Capabilities.Stops.LosesEarlyPauses {
			m.Wake() // a pause may wait for it
		}
	})
}

func (l *run) onExited(k *connection, raw json.RawMessage) {
	var body godap.ExitedEventBody
	if !l.decode("exited", raw, &body) {
		return
	}
	if k != l.connections.root() {
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
	if k == l.connections.main() && l.connections.root().broker {
		l.ending.exitOfChild(code)
	}
	l.onChildEnded(k)
}

// onTerminated follows the end of the program. While the handshake is under
// way it may be the echo of a failed launch, whose error says more.
func (l *run) onTerminated(k *connection) {
	if k != l.connections.root() {
		l.onChildEnded(k)
		return
	}
	k.markEnded()
	if l.s.currentRun() != l || l.s.status() != Starting {
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
	if l.isCurrent() {
		l.s.breakpoints.Update(k.breakpointConnection(), body, l.s.files)
	}
}

func (l *run) onProcess(k *connection, raw json.RawMessage) {
	var body godap.ProcessEventBody
	if !l.decode("process", raw, &body) {
		return
	}
	main := k == l.connections.main()
	l.s.change(func(m *lifecycle.Machine) {
		if m.Is(l.number) && main && m.Status() == Running && l.isStillComing(m) {
			m.RunsFromNow() // what it did before, it did by itself
		}
		k.begun.Store(true)
		m.Wake()
	})
	if pid := body.SystemProcessId; l.plan().Mode != adapters.RemoteAttach && (pid <= 0 || process.Gone(pid)) {
		return // it is none of this machine: a container's, or an adapter's invention
	}
	k.pid.Store(int64(body.SystemProcessId))
	if l.isCurrent() && (main || k.broker) {
		l.processes.setProgram(body.SystemProcessId)
	}
}

// onCapabilities merges what the adapter has learnt about itself.
func (l *run) onCapabilities(k *connection, raw json.RawMessage) {
	body := godap.CapabilitiesEventBody{Capabilities: k.Capabilities()}
	if l.decode("capabilities", raw, &body) {
		l.setCapabilities(k, body.Capabilities)
	}
}
