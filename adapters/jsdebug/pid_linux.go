package jsdebug

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe/attach"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
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
	at, opened, err := inspectorOf(ctx, j.PID)
	if err != nil {
		return nil, err
	}
	if attach.Wanted(j.Request) {
		return a.planObserve(j, at, opened), nil
	}
	p, err := a.planInspector(ctx, j, at.host, at.port, fmt.Sprintf("process %d", j.PID))
	if err == nil && opened {
		if other := netstat.Listener(at.port); other != 0 && other != j.PID {
			if p.Close != nil {
				p.Close()
			}
			return nil, portTaken(j.PID, at.port)
		}
		p.Warnings = append(p.Warnings, at.attachNote())
	}
	return p, err
}

// planObserve is for a session without js-debug, which only records.
func (a *adapter) planObserve(j job, at inspectorAddress, opened bool) *adapters.Plan {
	o := &observer{node: j.node.path, root: a.Root, inspector: net.JoinHostPort(at.host, strconv.Itoa(at.port))}
	arm := func(ctx context.Context, w live.Spec) (adapters.Recorder, error) {
		return o.Enter(ctx, adapters.Entered{PID: j.PID}, w)
	}
	p := attach.PlanWith(j.PID, fmt.Sprintf("process %d", j.PID), arm, o.kept.Close)
	p.Capabilities.Observing.Cost = hitCost
	p.Capabilities.Profiling.Take = o.takeProfile
	if opened {
		p.Warnings = append(p.Warnings, at.attachNote())
	}
	return p
}

// inspectorAddress is where the inspector of a node listens, or will.
type inspectorAddress struct {
	host string
	port int
	seen bool // it listens there
}

// attachNote is what an attach has changed for good.
func (d inspectorAddress) attachNote() string {
	const lasts = "node keeps it open until the program ends, and any user of this machine can debug the program through it"
	if !d.seen {
		return fmt.Sprintf("the program was told to open its inspector, on port %d by what it was started with, and has not yet; %s", d.port, lasts)
	}
	return fmt.Sprintf("the program has opened its inspector on port %d for this; %s", d.port, lasts)
}

// How long a node may take to open its inspector before js-debug waits for it, and how
// often it is looked whether it has.
const (
	openingLimit = 2 * time.Second
	openingLook  = 20 * time.Millisecond
)

// inspectorOf is where a process's inspector is, which it is told to open when it has
// none.
func inspectorOf(ctx context.Context, pid int) (at inspectorAddress, opened bool, err error) {
	at = assignedAddress(process.Variable(pid, "NODE_OPTIONS"), pid)
	before := netstat.Listening(pid)
	if found, ok := openInspector(ctx, pid, at.port, nil); ok {
		return found, false, nil
	}
	if at.port != 0 { // 0 is any that is free
		free, err := net.Listen("tcp", net.JoinHostPort(at.host, strconv.Itoa(at.port)))
		if err != nil {
			return inspectorAddress{}, false, portTaken(pid, at.port)
		}
		free.Close()
	}
	if err := syscall.Kill(pid, syscall.SIGUSR1); err != nil {
		return inspectorAddress{}, false, fault.New(fault.SessionStart, "process %d cannot be told to open its inspector: %w", pid, err).WithField("pid").
			WithHint("it must be yours; or start it with node --inspect=9230 and attach with port 9230")
	}
	opening, cancel := context.WithTimeout(ctx, openingLimit)
	defer cancel()
	for sleep.For(opening, openingLook) {
		if found, ok := openInspector(opening, pid, at.port, before); ok {
			return found, true, nil
		}
	}
	if at.port == 0 {
		return inspectorAddress{}, false, fault.New(fault.SessionStart, "process %d was told to open its inspector and has not within %s", pid, openingLimit).WithField("pid").
			WithHint("a program that handles SIGUSR1 itself opens none: start it with node --inspect=9230 and attach with port 9230")
	}
	return at, true, ctx.Err() // at a turn of its event loop, for which js-debug waits
}

// openInspector finds the inspector of a process at its port; where any may be it (0), among
// the sockets that were not open before. What else a program listens at is its own, and may
// not bear a stranger's question.
func openInspector(ctx context.Context, pid, port int, before []netstat.Socket) (inspectorAddress, bool) {
	for _, socket := range netstat.Listening(pid) {
		at := inspectorAddress{host: "127.0.0.1", port: int(socket.Address.Port()), seen: true}
		if socket.PID != pid || at.port != port && (port != 0 || slices.Contains(before, socket)) {
			continue
		}
		if addr := socket.Address.Addr(); !addr.IsUnspecified() {
			at.host = addr.Unmap().String()
		}
		if askInspector(ctx, net.JoinHostPort(at.host, strconv.Itoa(at.port))) == nil {
			return at, true
		}
	}
	return inspectorAddress{}, false
}

// assignedAddress is where a node opens its inspector by its options: those of the variable,
// then those before its script.
func assignedAddress(variable string, pid int) inspectorAddress {
	_, args := process.WorkOf(pid)
	return addressFromOptions(append(strings.Fields(variable), nodeOptions(args)...))
}

// isOpenedByNode says that a socket is the inspector that node opens by its own options
// before it runs anything of the program's: where any port is free to it, the process's
// first one. Nobody watches it until js-debug's bootloader has run.
func isOpenedByNode(socket netstat.Socket) bool {
	_, args := process.WorkOf(socket.PID)
	options := append(strings.Fields(process.Variable(socket.PID, "NODE_OPTIONS")), nodeOptions(args)...)
	if !slices.ContainsFunc(options, asksForInspector) {
		return false
	}
	if at := addressFromOptions(options); at.port != 0 {
		return int(socket.Address.Port()) == at.port
	}
	for _, first := range netstat.Listening(socket.PID) {
		return first.Inode == socket.Inode
	}
	return false
}

// asksForInspector says that by this option a node opens its inspector at its start.
func asksForInspector(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return slices.Contains([]string{"--inspect", "--inspect-brk", "--inspect-wait"}, strings.ReplaceAll(name, "_", "-"))
}

// nodeOptions are the arguments of node before its script; what follows an option that
// has no "=" may be its value.
func nodeOptions(args []string) []string {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && (i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.Contains(args[i-1], "=")) {
			return args[:i]
		}
	}
	return args
}

func addressFromOptions(options []string) inspectorAddress {
	at := inspectorAddress{host: "127.0.0.1", port: inspectorPort}
	for i, option := range options {
		name, value, given := strings.Cut(option, "=")
		switch strings.ReplaceAll(name, "_", "-") {
		case "--inspect-port", "--debug-port":
			if !given && i+1 < len(options) {
				value = options[i+1]
			}
		case "--inspect", "--inspect-brk", "--inspect-wait":
		default:
			continue
		}
		host, port, err := net.SplitHostPort(value)
		if err != nil {
			host, port = "", value
		}
		if n, err := strconv.Atoi(port); err == nil && n >= 0 && n <= 65535 {
			at.port = n
		} else if err != nil && port != "" {
			host = port // alone
		}
		if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && !ip.IsUnspecified() {
			at.host = ip.String()
		}
	}
	return at
}

// portTaken says that another process has the port at which a node opens its inspector, or was faster.
func portTaken(pid, port int) error {
	return fault.New(fault.SessionStart, "process %d would open its inspector on port %d, which is taken", pid, port).
		WithField("pid").WithHint("start the program with node --inspect=9230 and attach with port 9230")
}
