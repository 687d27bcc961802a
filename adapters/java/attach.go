package java

import (
	"cmp"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/text/pattern"
)

const openForDebugging = "start it with java -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:5005 …, then attach with port 5005"

// planAttach is for a program that runs already with a debug port (JDWP).
func (a *adapter) planAttach(j job, classes string) (*adapters.Plan, error) {
	if j.options.Follow {
		return nil, fault.New(fault.InvalidParam, "adapter_options: followChildren is for a program that is started here: what a running one hands on to its child processes is settled").WithField("adapter_options").
			WithHint(`leave it out; or set JAVA_TOOL_OPTIONS for the child alone and attach to that by its own port`)
	}
	host, port := cmp.Or(j.Host, "127.0.0.1"), j.Port
	target := net.JoinHostPort(host, strconv.Itoa(port))
	if j.Mode == adapters.Attach && j.Port == 0 {
		var err error
		if host, port, err = debugPort(j.PID); err != nil {
			return nil, err
		}
		target = fmt.Sprintf("process %d", j.PID)
	}
	if port <= 0 || port > 65535 {
		return nil, fault.New(fault.MissingParam, "port is missing: where does the program listen for debuggers?").WithField("port").
			WithHint("%s", openForDebugging)
	}
	roots, err := j.allSources(nil, "")
	if err != nil {
		return nil, err
	}
	classPath, err := j.paths("classPath", j.options.ClassPath)
	if err != nil {
		return nil, err
	}
	d, leave := newDialect("", false), func() {}
	release := programRelease(j.PID, host, port)
	if release != nil {
		d.recorders = &recorders{jvm: jvm{adapter: a, pid: release.PID, tools: j.tools, roots: roots}}
		leave = d.recorders.Close
	}
	return &adapters.Plan{
		Mode: j.Mode, Target: target, Modules: modules(j, roots, ""),
		Open: a.open(j.tools, classes, nil, release), Request: "attach", Detach: true,
		Arguments: attach{
			Host: host, Port: port, StopOnEntry: j.StopOnEntry,
			common: common{roots, append(classPath, outputDirs(j.Workspace)...), j.JustMyCode},
		},
		Dialect: d, Capabilities: d.Capabilities(),
		Close: leave,
	}, nil
}

// programRelease is what the bridge owes to a program that was there before it: it lets it go at
// the end of its input. A program elsewhere cannot be looked at, and has none.
func programRelease(pid int, host string, port int) *process.Release {
	if pid == 0 && adapters.Local(host) {
		pid = netstat.Listener(port)
	}
	if pid == 0 {
		return nil
	}
	return &process.Release{PID: pid}
}

// agent matches the debug agent among a program's arguments.
var agent = pattern.New(`(?:-agentlib:jdwp=|-Xrunjdwp:)(\S+)`)

// debugPort finds where a running program listens, by its command line.
func debugPort(pid int) (host string, port int, err error) {
	if pid <= 0 {
		return "", 0, fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}, or {"port":5005} for a debug port`)
	}
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return "", 0, fault.New(fault.InvalidTarget, "there is no process %d that can be looked at", pid).WithField("pid").
			WithHint("give the pid of a running Java program, or the port that it listens at for debuggers")
	}
	text := strings.ReplaceAll(string(line), "\x00", " ")
	m := agent.FindStringSubmatch(text)
	if m == nil {
		return "", 0, fault.New(fault.InvalidTarget, "process %d was not started for debugging", pid).WithField("pid").
			WithHint(`for trace and profile of it as it runs: adapter_options {"observe": true}; to stop it, Java must be told at its start: %s`, openForDebugging)
	}
	host = "127.0.0.1"
	for option := range strings.SplitSeq(m[1], ",") {
		value, ok := strings.CutPrefix(option, "address=")
		if !ok {
			continue
		}
		where := value
		if before, after, found := cutLast(value, ":"); found {
			where = after
			if before != "*" && before != "0.0.0.0" {
				host = before
			}
		}
		if n, err := strconv.Atoi(where); err == nil && n > 0 && strings.Contains(m[1], "server=y") {
			return host, n, nil
		}
	}
	return "", 0, fault.New(fault.InvalidTarget, "process %d does not listen at a port that its command line names", pid).WithField("pid").
		WithHint("give the port that it printed at its start (\"Listening for transport dt_socket at address\")")
}

// isDebugged says that a debugger is in a running program, so far as that can be seen: what listens for
// one does not while it has one.
func isDebugged(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return false
	}
	m := agent.FindStringSubmatch(strings.ReplaceAll(string(line), "\x00", " "))
	if m == nil {
		return false
	}
	port := portOf(pid)
	return strings.Contains(m[1], "server=n") || port != 0 && netstat.Listener(port) == 0
}

// portOf is where a program waits for its debugger, by its command line.
func portOf(pid int) int {
	_, port, err := debugPort(pid)
	if err != nil {
		return 0
	}
	return port
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
