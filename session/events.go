package session

import (
	"encoding/json"
	"strings"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap"
	"aidb-mcp/internal/hub"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
	"aidb-mcp/session/breakpoints"
	"aidb-mcp/session/lifecycle"
)

// onEvent receives the adapter's events in the order of the wire, on the
// connection's reading goroutine: it changes the state and never waits.
func (k *connection) onEvent(e dap.Event) {
	defer k.run.guard("handling the event " + e.Name)
	switch e.Name {
	case "initialized":
		k.onceInitialized.Do(func() { close(k.initialized) })
	case "stopped":
		k.onStopped(e.Body)
	case "continued":
		k.onContinued()
	case "exited":
		k.onExited(e.Body)
	case "terminated":
		k.onTerminated()
	case "output":
		k.onOutput(e.Body)
	case "breakpoint":
		k.onBreakpoint(e.Body)
	case "loadedSource":
		k.onLoadedSource(e.Body)
	case "process":
		k.onProcess(e.Body)
	case "capabilities":
		k.onCapabilities(e.Body)
	}
}

// onStopped publishes a stop at once when nothing has to be asked first;
// otherwise a goroutine decides about it, and the program counts as running
// until it has.
func (k *connection) onStopped(raw json.RawMessage) {
	var body godap.StoppedEventBody
	if !k.decode("stopped", raw, &body) {
		return
	}
	stop := k.run.plan().Dialect.Stopped(body)
	if stop.Echo {
		return
	}
	if stop.Gone != "" {
		k.onKilled(stop.Gone)
		return
	}
	if can := k.run.plan().Capabilities.Stops; can.Together != nil && (can.RepeatsStops || !k.isStoppedAt()) {
		// It owns the stop until that is decided, and ends as a judgement does.
		k.run.spawn("gathering the stops of all threads", func() { k.collectStops(body, stop) })
		return
	}
	if seq, undecided := k.decideOrPublish(&stop, nil); undecided {
		// It owns the stop until that is decided: see judgement.
		k.run.spawn("deciding about a stop", func() { judgement{k.run, k, seq}.decide(stop, nil) })
	}
}

// decideOrPublish publishes a stop that needs no question, else it gives the number by
// which that is decided about. Others are of further threads of the program.
func (k *connection) decideOrPublish(stop *adapters.Stop, others []adapters.Stop) (seq int, undecided bool) {
	b := &k.run.s.breakpoints
	k.run.change(func(m *lifecycle.Machine) {
		known := m.Of(k.number)
		if k.run.plan().Capabilities.Start.AttachEndsInPause && known.IsAttachEcho(*stop) {
			return
		}
		putStepFirst(m, stop, others)
		k.translateStop(stop)
		for i := range others {
			k.translateStop(&others[i])
		}
		seq = known.Come(stop, m.Motion())
		at := k.breakpointStop(m, *stop)
		stop.Ask = stop.Ask || k.isChecked(at)
		if len(others) > 0 || !k.isImmediate(m, at, *stop) {
			undecided = true
			return
		}
		m.Arrive(k.stopOf(*stop, b.Decide(at, b.Candidates(at), nil)))
	})
	return seq, undecided
}

// translateStop puts a stop in our own terms: whose thread it is, and the ids that tell
// breakpoints apart.
func (k *connection) translateStop(stop *adapters.Stop) {
	stop.Hit = k.run.s.breakpoints.Telling(k.number, stop.Hit)
	if stop.HasThread {
		stop.ThreadID = k.OurThread(stop.ThreadID)
		k.run.connections.claim(k, stop.ThreadID)
	}
}

// stopOf is a stop of a connection, with what it means.
func (k *connection) stopOf(stop adapters.Stop, d breakpoints.Decision) lifecycle.Stop {
	return lifecycle.Stop{Connection: k.number, Event: stop, Decision: d}
}

// onKilled is called when the program was killed behind the adapter's back.
func (k *connection) onKilled(signal string) {
	if k != k.run.connections.root() {
		k.onChildEnded()
		return
	}
	k.run.ending.kill(signal)
	k.run.onProgramEnd("")
}

// onContinued believes that the program runs, unless the event is the late
// echo of a resume of ours whose stop has come already.
func (k *connection) onContinued() {
	k.run.change(func(m *lifecycle.Machine) {
		if echo := m.Continued(k.number); echo && k.run.plan().Capabilities.Stops.ConfirmsResumes {
			m.Wake() // a pause may wait for it
		}
	})
}

func (k *connection) onExited(raw json.RawMessage) {
	var body godap.ExitedEventBody
	if !k.decode("exited", raw, &body) {
		return
	}
	if k != k.run.connections.root() {
		k.onChildExited(body.ExitCode)
		return
	}
	if !k.run.plan().Capabilities.End.DoubtfulExitCode {
		k.run.ending.exit(body.ExitCode)
	}
	k.run.ending.settle()
	k.onTerminated()
}

// onChildExited takes the exit code of a broker's first child for the program's, unless
// a better one is known.
func (k *connection) onChildExited(code int) {
	if k == k.run.connections.main() && k.run.connections.root().broker {
		k.run.ending.exitOfChild(code)
	}
	k.onChildEnded()
}

// onTerminated follows the end of the program. While the handshake is under
// way it may be the echo of a failed launch, whose error says more.
func (k *connection) onTerminated() {
	if k != k.run.connections.root() {
		k.onChildEnded()
		return
	}
	k.markEnded()
	if k.run.s.currentRun() != k.run || k.run.s.status() != Starting {
		k.run.onFirstEnd()
		return
	}
	// It owns nothing, and ends with the start, whose error may say more.
	k.run.spawn("following the program's end", func() {
		<-k.run.started
		k.run.onFirstEnd()
	})
}

func (k *connection) onOutput(raw json.RawMessage) {
	var body godap.OutputEventBody
	if !k.decode("output", raw, &body) {
		return
	}
	if sift := k.run.plan().Capabilities.Output.Sift; sift != nil {
		kept, keep := sift(body)
		if !keep {
			return
		}
		body = kept
	}
	switch body.Category {
	case "stdout", "stderr":
		if k.countLogged(body) {
			body.Category = "log"
		}
		if body.Category == "log" || k.run.programs.first() == nil { // else it only repeats what comes through our own pipes
			k.run.s.out.Write(body.Category, body.Output)
		}
	case "log":
		k.run.s.out.Write(body.Category, body.Output)
	case "important":
		k.run.warn(body.Output)
	case "telemetry":
		return
	}
	k.keepLastWords(body.Output)
}

// countLogged counts a hit of the logpoint that wrote a line, and says whether
// one did: adapters that print log messages themselves report no stop.
func (k *connection) countLogged(body godap.OutputEventBody) (logged bool) {
	if body.Source == nil || body.Line == 0 {
		return false
	}
	return k.run.s.breakpoints.Logged(body.Source.Path, body.Line)
}

// keepLastWords keeps the adapter's last words while it starts, for its errors, and
// whether it has said that it ends the program.
func (k *connection) keepLastWords(text string) {
	if said := k.run.plan().Capabilities.End.EndsAtDisconnect.Said; said != "" && strings.Contains(text, said) {
		k.run.ending.atLeave.Store(true)
	}
	if k.run.s.status() == Starting {
		k.run.words.add(text)
	}
}

func (l *run) warn(text string) {
	if text = tidyText(text, 500); l.notices.warn(text) {
		l.s.log.Warn("the adapter warns", "text", text)
	}
}

func (k *connection) onBreakpoint(raw json.RawMessage) {
	var body godap.BreakpointEventBody
	if !k.decode("breakpoint", raw, &body) {
		return
	}
	k.run.correctBreakpoint(&body.Breakpoint)
	if k.run.isCurrent() {
		k.run.s.breakpoints.Update(k.breakpointConnection(), body, k.run.s.files)
		k.run.s.PublishBreakpoints(hub.Program)
	}
}

// onLoadedSource asks what became of the breakpoints in a file of which the adapter does not
// tell that.
func (k *connection) onLoadedSource(raw json.RawMessage) {
	if !k.run.plan().Capabilities.Breakpoints.BindsLoadedSilently || !k.run.isCurrent() {
		return
	}
	var body godap.LoadedSourceEventBody
	if !k.decode("loadedSource", raw, &body) || body.Source.Path == "" {
		return
	}
	k.run.loading.noteSource()
	pts := &k.run.s.points
	if len(pts.findUnbound(body.Source.Path)) == 0 {
		return
	}
	done := k.run.loading.set()
	// It owns nothing, and ends with the adapter's answers or the run.
	k.run.spawn("setting the breakpoints of a file that is loaded", func() {
		defer done()
		if !sleep.For(k.run.ctx, bindsByItself) {
			return
		}
		if unbound := pts.findUnbound(body.Source.Path); len(unbound) > 0 {
			pts.setAnew(k.run, unbound[0].ID)
		}
	})
}

// bindsByItself is how long a breakpoint may take to be bound in a file that is loaded only now:
// of that the adapter tells, and to take it back meanwhile might miss its first hit.
const bindsByItself = 150 * time.Millisecond

func (k *connection) onProcess(raw json.RawMessage) {
	var body godap.ProcessEventBody
	if !k.decode("process", raw, &body) {
		return
	}
	main := k == k.run.connections.main()
	k.run.s.change(func(m *lifecycle.Machine) {
		if m.Is(k.run.number) && main && m.Status() == Running && k.run.isStillComing(m) {
			m.RunsFromNow() // what it did before, it did by itself
		}
		k.begun.Store(true)
		m.Wake()
	})
	if pid := body.SystemProcessId; k.run.plan().Mode != adapters.RemoteAttach && (pid <= 0 || process.Gone(pid)) {
		return // it is none of this machine: a container's, or an adapter's invention
	}
	k.pid.Store(int64(body.SystemProcessId))
	if k.run.isCurrent() && (main || k.broker) {
		k.run.processes.setProgram(body.SystemProcessId)
	}
}

// onCapabilities merges what the adapter has learnt about itself.
func (k *connection) onCapabilities(raw json.RawMessage) {
	body := godap.CapabilitiesEventBody{Capabilities: k.Capabilities()}
	if k.decode("capabilities", raw, &body) {
		k.setCapabilities(body.Capabilities)
	}
}
