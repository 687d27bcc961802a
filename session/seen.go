package session

import (
	"cmp"
	"fmt"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/mend"
)

// detachedText is how the program is that was to run on, once its debuggers are gone: what the
// system shows, where it runs here, and else what the adapter has told.
func (l *run) detachedText() string {
	pid := cmp.Or(l.s.PID(), l.s.request.Program.PID)
	if pid == 0 || l.plan().Mode == adapters.RemoteAttach {
		return l.leftText()
	}
	l.closeAdapters() // what they leave in the program is taken out before they are gone
	sight, err := mend.Look(pid)
	if err != nil && !sight.IsAlive {
		return l.leftText()
	}
	return describeSight(pid, sight, l.found)
}

// observeProcess notes how a program is before its debugger comes, as far as the system shows it.
func (l *run) observeProcess(plan *adapters.Plan) {
	if pid := l.s.request.Program.PID; pid != 0 && plan.Detach && plan.Mode != adapters.RemoteAttach {
		l.found, _ = mend.Look(pid)
	}
}

// describeSight says how a program is that was left. What was so before is nothing to tell.
func describeSight(pid int, sight, before mend.Sight) string {
	traps := sight.Since(before)
	switch {
	case !sight.IsAlive:
		return fmt.Sprintf("; the program (process %d) ended while it was let go", pid)
	case sight.Tracer != 0:
		return fmt.Sprintf("; the program (process %d) is there, and is traced by process %d", pid, sight.Tracer)
	case sight.IsStopped && !before.IsStopped:
		return fmt.Sprintf("; the program (process %d) is there, but stands still: SIGCONT lets it go on", pid)
	case len(traps) > 0:
		return leftRunning + ", with breakpoint instructions in its text that end it when it comes to them: " + placesOf(traps)
	}
	return leftRunning
}

func placesOf(traps []mend.Trap) string {
	const most = 5
	var places []string
	for _, t := range traps[:min(len(traps), most)] {
		places = append(places, fmt.Sprintf("%#x", t.Address))
	}
	if more := len(traps) - most; more > 0 {
		places = append(places, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(places, ", ")
}

// closeAdapters ends the adapters, whose work is done. A second call does nothing.
func (l *run) closeAdapters() {
	links := l.connections.all()
	for _, k := range links {
		_ = k.conn.Close()
	}
	if l.peer() != nil {
		l.peer().Kill()
	}
	for _, k := range links {
		if k.peer != l.peer() {
			k.peer.Kill()
		}
	}
}
