package jsdebug

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"syscall"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/process"
)

// planAttach is for a node that runs on this machine. One without an inspector
// opens it when it gets SIGUSR1; any other program would die of that.
func (a *adapter) planAttach(ctx context.Context, j job) (*adapters.Plan, error) {
	if j.PID <= 0 {
		return nil, fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}; a node --inspect is attached to by its port`)
	}
	if !prepare.Exists(fmt.Sprintf("/proc/%d", j.PID)) {
		return nil, fault.New(fault.InvalidTarget, "there is no process %d", j.PID).WithField("pid").
			WithHint("give the id of a running node (ps, pgrep node)")
	}
	if !isNode(j.PID) {
		return nil, fault.New(fault.InvalidTarget, "process %d is no node", j.PID).WithField("pid").
			WithHint("give the id of a running node (ps, pgrep node); npm and npx start it as a child of theirs")
	}
	host, port, opened, err := inspectorOf(ctx, j.PID)
	if err != nil {
		return nil, err
	}
	p, err := a.planInspector(ctx, j, host, port, fmt.Sprintf("process %d", j.PID))
	if err == nil && opened {
		if other := process.Listener(port); other != 0 && other != j.PID {
			return nil, taken(j.PID, port)
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("the program has opened its inspector on port %d for this; node keeps it open until the program ends, "+
			"and any user of this machine can debug the program through it", port))
	}
	return p, err
}

// inspectorOf is where a process's inspector listens, which it is told to open when it
// has none.
func inspectorOf(ctx context.Context, pid int) (host string, port int, opened bool, err error) {
	_, args := process.WorkOf(pid)
	host, port = ownPort(args, process.Variable(pid, "NODE_OPTIONS"))
	open := process.Listening(pid)
	// Only there: what else it listens at is its own, and may not bear a stranger's question.
	for _, s := range open {
		if h, p := reachable(s); s.PID == pid && p == port && askInspector(ctx, net.JoinHostPort(h, strconv.Itoa(p))) == nil {
			return h, p, false, nil
		}
	}
	free, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return "", 0, false, taken(pid, port)
	}
	free.Close()
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return "", 0, false, fault.New(fault.SessionStart, "process %d cannot be told to open its inspector: %w", pid, err).WithField("pid").
			WithHint("it must be yours; or start it with node --inspect=9230 and attach with port 9230")
	}
	return awaitInspector(ctx, pid, host, port, open)
}

// openLimit is how long a node may take to open its inspector. Js-debug waits for
// longer, but must know where.
const openLimit = 2 * time.Second

// awaitInspector is where the inspector of a process listens, beside what was open
// before. Nothing tells when: the system is asked. One that takes its time will open
// the port that its command line says.
func awaitInspector(ctx context.Context, pid int, host string, port int, before []process.Socket) (string, int, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, openLimit)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, s := range process.Listening(pid) {
			h, p := reachable(s)
			if s.PID == pid && !slices.Contains(before, s) && (port == 0 || p == port) && askInspector(ctx, net.JoinHostPort(h, strconv.Itoa(p))) == nil {
				return h, p, true, nil
			}
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		if port == 0 {
			return "", 0, false, fault.New(fault.SessionStart, "process %d was told to open its inspector, and has not opened any port within %s", pid, openLimit).
				WithField("pid").WithHint("start the program with node --inspect=9230 and attach with port 9230")
		}
		return host, port, true, nil
	}
}

// reachable is where to go to for what a socket accepts.
func reachable(s process.Socket) (host string, port int) {
	at := s.Address.Addr().Unmap()
	if at.IsUnspecified() {
		return "127.0.0.1", int(s.Address.Port())
	}
	return at.String(), int(s.Address.Port())
}

// taken: another process has the port at which a node opens its inspector, or was faster.
func taken(pid, port int) error {
	return fault.New(fault.SessionStart, "process %d would open its inspector on port %d, which is taken", pid, port).
		WithField("pid").WithHint("start the program with node --inspect=9230 and attach with port 9230")
}
