package session

import (
	"fmt"
	"os"
	"os/user"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
)

// checkAttachable says why the process of a request cannot be attached to, whatever
// its language: it is gone, somebody else's, ours, or debugged already.
func (m *Manager) checkAttachable(p adapters.Request) error {
	pid := p.PID
	if pid == 0 {
		return nil
	}
	switch self := os.Getpid(); {
	case process.Zombie(pid):
		return notAttachableError("process %d has ended; only its entry in the table is left, until process %s takes note of its end", pid, m.processText(process.ParentOf(pid))).
			WithHint("start the program again, and give the id that it then has")
	case process.Gone(pid):
		return notAttachableError("there is no process %d", pid).
			WithHint("it may have ended: give the id of a running program (ps, pgrep), or mode attach and as target its name")
	case pid == self || slices.Contains(process.Lineage(pid), self) && process.ProgramOf(pid) == process.ProgramOf(self):
		return notAttachableError("process %d is this debugger itself", pid).WithHint("give the id of the program that is to be debugged")
	case process.Programless(pid):
		return notAttachableError("process %d is a thread of the kernel, and runs no program", pid).WithHint("give the id of a running program (ps, pgrep)")
	}
	if owner := process.OwnerOf(pid); owner >= 0 && os.Geteuid() > 0 && owner != os.Geteuid() {
		return notAttachableError("process %d belongs to another user (%s)", pid, userName(owner)).
			WithHint("run aidb-mcp as that user or as root; or attach by the port at which the program listens for debuggers, if it does")
	}
	for _, s := range m.List() {
		if s.isDebugging(pid) {
			return notAttachableError("process %d is debugged already, by session %s", pid, s.ID()).
				WithHint("go on with session_id %q, or end that session first with session(action: stop, session_id: %q), which leaves the program running if it was attached to", s.ID(), s.ID())
		}
	}
	return nil
}

// checkUntraced says by whom the process of a request is held already, where the
// adapter would have to hold it too, and what else keeps it from that.
func (m *Manager) checkUntraced(p adapters.Request, a adapters.Adapter) error {
	if p.PID == 0 || !a.Info().Traces {
		return nil
	}
	tracer := process.TracerOf(p.PID)
	if tracer == 0 {
		if b := process.BarrierTo(p.PID); b != nil {
			return notAttachableError("process %d cannot be attached to: %s", p.PID, b.Why).WithHint("%s", b.Remedy)
		}
		return nil
	}
	return notAttachableError("process %d is held already by another debugger or tracer, process %s", p.PID, m.processText(tracer)).
		WithHint("the system allows one at a time: end that one or have it detach, then start again")
}

// checkPortFree says by whom the debugger at the port of a request is taken already, where
// it serves one at a time: it accepts no connections while it has one, or turns them
// away. The adapter is nil as long as it is not known.
func (m *Manager) checkPortFree(p adapters.Request, a adapters.Adapter) error {
	port, field := p.Port, "port"
	if a != nil && p.PID != 0 {
		if debugPort := a.Services().DebugPort; debugPort != nil {
			port, field = debugPort(p.PID), "pid"
		}
	}
	if port == 0 || !adapters.Local(p.Host) {
		return nil
	}
	accepts, clients := netstat.Clients(port)
	if len(clients) == 0 || accepts && (a == nil || !a.Info().OneClient) {
		return nil
	}
	by, hint := m.clientOf(clients[0], port)
	return fault.New(fault.SessionStart, "a debugger is attached already at port %d, and there can be only one at a time: %s", port, by).
		WithField(field).WithHint("%s", hint)
}

// clientOf says who has attached to a debugger's port, and how it is freed.
func (m *Manager) clientOf(c netstat.Client, port int) (by, hint string) {
	const first = "end that one or have it detach first, then start again"
	lineage := process.Lineage(c.PID)
	switch {
	case c.PID == 0:
		return "one at " + c.Address.String(), first
	case !slices.Contains(lineage, os.Getpid()):
		slices.Reverse(lineage)
		own := process.ProgramOf(os.Getpid())
		if i := slices.IndexFunc(lineage, func(pid int) bool { return process.ProgramOf(pid) == own }); i >= 0 {
			return "another server of this kind, process " + m.processText(lineage[i]), first // its adapter would tell nobody anything
		}
		return "process " + m.processText(c.PID), first
	}
	for _, s := range m.List() {
		if s.isAttachedAt(port) {
			return "session " + s.ID(), fmt.Sprintf("go on with session_id %q, or end that session first with session(action: stop, session_id: %q)", s.ID(), s.ID())
		}
	}
	return "a session of this server", first
}

func notAttachableError(format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidParam, format, args...).WithField("pid")
}

// processText describes a process by its number and, where that is known, its command
// line.
func (m *Manager) processText(pid int) string {
	command := strings.Join(strings.Fields(process.CommandOf(pid)), " ")
	if command == "" {
		return strconv.Itoa(pid)
	}
	return strconv.Itoa(pid) + " (" + m.mask.Command(process.Shortened(command)) + ")"
}

func userName(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return strconv.Itoa(id)
}

// isDebugging says whether a process is the session's program, or a child process that
// it debugs.
func (s *Session) isDebugging(pid int) bool {
	l := s.currentRun()
	if l == nil || s.status() == Terminated {
		return false
	}
	return l.knownPID() == pid || slices.ContainsFunc(l.connections.all(), func(k *connection) bool { return !k.over.Load() && k.knownPID() == pid })
}

// isAttachedAt says that the session has attached to a program by this port of this
// machine, be it that only the process was named.
func (s *Session) isAttachedAt(port int) bool {
	p := s.request.Program
	if debugPort := s.adapter.Services().DebugPort; debugPort != nil && p.PID != 0 {
		p.Port = debugPort(p.PID)
	}
	return p.Port == port && adapters.Local(p.Host) && s.status() != Terminated
}
