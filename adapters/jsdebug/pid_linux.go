package jsdebug

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"syscall"

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
	port, opened, err := inspectorOf(ctx, j.PID)
	if err != nil {
		return nil, err
	}
	p, err := a.planInspector(ctx, j, "127.0.0.1", port, fmt.Sprintf("process %d", j.PID))
	if err == nil && opened {
		if other := process.Listener(port); other != 0 && other != j.PID {
			return nil, taken(j.PID)
		}
		p.Warnings = append(p.Warnings, fmt.Sprintf("the program has opened its inspector on port %d for this; node keeps it open until the program ends, "+
			"and any user of this machine can debug the program through it", port))
	}
	return p, err
}

// inspectorOf is the port of a process's inspector, which it is told to open
// when it has none.
func inspectorOf(ctx context.Context, pid int) (port int, opened bool, err error) {
	for _, socket := range process.Listening(pid) {
		if port := int(socket.Address.Port()); socket.PID == pid && askInspector(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(port))) == nil {
			return port, false, nil
		}
	}
	// It will open its port at the next turn of its event loop; js-debug waits for that.
	free, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(inspectorPort)))
	if err != nil {
		return 0, false, taken(pid)
	}
	free.Close()
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return 0, false, fault.New(fault.SessionStart, "process %d cannot be told to open its inspector: %w", pid, err).WithField("pid").
			WithHint("it must be yours; or start it with node --inspect=9230 and attach with port 9230")
	}
	return inspectorPort, true, nil
}

// taken: another process has the port at which a node opens its inspector, or was faster.
func taken(pid int) error {
	return fault.New(fault.SessionStart, "process %d would open its inspector on port %d, which is taken", pid, inspectorPort).
		WithField("pid").WithHint("start the program with node --inspect=9230 and attach with port 9230")
}
