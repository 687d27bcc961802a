package debugpy

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/peer"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/netstat"
)

// planAttach is for a Python program that runs on this machine: the debugger is
// put into it by gdb (Linux) or lldb (macOS).
func (a *adapter) planAttach(ctx context.Context, j *job) (*adapters.Plan, error) {
	if j.PID <= 0 {
		return nil, fault.New(fault.MissingParam, "pid is missing: which process is to be debugged?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234}`)
	}
	if err := j.needProcess(); err != nil {
		return nil, err
	}
	if !j.options.Observe {
		if err := refuseDebugged(j.PID); err != nil {
			return nil, err
		}
	}
	var err error
	if j.elsewhere, err = where(j.PID); err != nil {
		return nil, err
	}
	path, err := j.processInterpreter()
	if err != nil {
		return nil, err
	}
	py, err := j.ask(ctx, path, "", question{})
	if err != nil {
		return nil, err
	}
	target := fmt.Sprintf("process %d", j.PID)
	if line := commandLine(j.PID); line != "" {
		target = fmt.Sprintf("%s (process %d)", line, j.PID)
	}
	if j.options.Observe && j.elsewhere != nil {
		return nil, fault.New(fault.NotSupported, "process %d sees other files than we, as in another container, and what observes a Python program would be loaded from ours", j.PID).WithField("adapter_options").
			WithHint("attach without observe")
	}
	if j.options.Observe {
		return a.planObserve(j, py, target)
	}
	if err := j.needInjector(py); err != nil {
		return nil, err
	}
	args := j.commonArguments()
	args.ProcessID = j.PID
	if j.elsewhere != nil {
		args.ProcessID = j.elsewhere.pid // by which the program will say who it is
	}
	args.RedirectOutput = true
	d := &dialect{base: plainBase(), attached: true, home: a.Store.Dir(component), searched: py.Path, scratch: j.scratch, profiles: a}
	return &adapters.Plan{
		Mode: j.Mode, Target: target, Dir: workdirOf(j.PID), Modules: prepare.Roots(j.Request, sourcesOf(j.PID)...),
		Open: a.open(j, py), Request: "attach", Arguments: args, Detach: true, Child: j.joinChild,
		Dialect: d, Capabilities: d.Capabilities(),
		Close: d.armed.Close,
	}, nil
}

func (j *job) needProcess() error {
	switch pythonProcess(j.PID) {
	case noProcess:
		return fault.New(fault.InvalidTarget, "there is no process %d", j.PID).WithField("pid").
			WithHint("give the id of a running Python program (ps, pgrep -af python)")
	case notPython:
		program, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", j.PID))
		return fault.New(fault.InvalidTarget, "process %d is no Python program: it is %s", j.PID, program).WithField("pid").
			WithHint("give the id of a running Python program (ps, pgrep -af python)")
	}
	return nil
}

// refuseDebugged refuses a program that has debugpy in it already, connected to an adapter
// that is not ours: putting in another would take it away from that one.
func refuseDebugged(pid int) error {
	for _, peer := range netstat.Peers(pid) {
		words := wordsOf(peer)
		if !slices.ContainsFunc(words, func(word string) bool {
			return strings.HasSuffix(word, "debugpy/adapter") || strings.HasSuffix(word, "boot/adapter.py") // debugpy's own, or a server's like this one
		}) {
			continue
		}
		f := fault.New(fault.SessionStart, "process %d has a debugger in it already: debugpy, whose adapter is process %d", pid, peer).WithField("pid")
		if i := slices.Index(words, "--port"); i >= 0 && i+1 < len(words) {
			return f.WithHint("attach to the port at which that listens: %s", words[i+1])
		}
		return f.WithHint("end that debugger's session first, then start again")
	}
	return nil
}

// needInjector: without such a program nothing can be put into another process, but for a Python that
// takes it by itself.
func (j *job) needInjector(py *python) error {
	if py.takesCode() && j.elsewhere == nil {
		return nil
	}
	if err := prepare.Injectable(j.PID); err != nil {
		return err
	}
	tool, remedy := "gdb", "install gdb (apt install gdb, dnf install gdb)"
	switch runtime.GOOS {
	case "windows":
		return nil
	case "darwin":
		tool, remedy = "lldb", "install it with xcode-select --install"
	}
	if _, err := exec.LookPath(tool); err != nil {
		return fault.New(fault.SessionStart, "attaching to a running Python program needs %s, which is not in PATH", tool).
			WithHint("%s; or start the program with `python -m debugpy --listen 5678 …` and attach to its port", remedy)
	}
	return nil
}

// processInterpreter is the program's own, so that its version is known.
func (j *job) processInterpreter() (string, error) {
	if j.RuntimePath != "" {
		return j.interpreter("")
	}
	program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", j.PID))
	if err == nil && strings.Contains(filepath.Base(program), "python") && prepare.Exists(program) {
		return program, nil
	}
	return j.interpreter("")
}

// commandLine is that of a process, short.
func commandLine(pid int) string {
	const longest = 80
	line := strings.TrimSpace(strings.Join(wordsOf(pid), " "))
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + "…"
	}
	return line
}

// wordsOf are the words of a process's command line, none where it is not told.
func wordsOf(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
}

func workdirOf(pid int) string {
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	if err != nil {
		return ""
	}
	return dir
}

// planRemote is for a program that serves a debugger: python -m debugpy --listen
// host:port program. It is an adapter already.
func (a *adapter) planRemote(j *job) (*adapters.Plan, error) {
	if j.Port <= 0 || j.Port > 65535 {
		return nil, fault.New(fault.MissingParam, "port is missing: where does the program's debugger listen?").WithField("port").
			WithHint(`for example {"mode":"remote_attach","port":5678} for python -m debugpy --listen 5678 app.py`)
	}
	for _, m := range j.PathMappings {
		if !prepare.IsDir(prepare.Locate(j.Request, m.Local)) {
			return nil, fault.New(fault.InvalidParam, "path_mappings: there is no local directory %s", m.Local).WithField("path_mappings").
				WithHint(`local is where the source is on this machine, remote where it is for the program: [{"local":%q,"remote":"/app"}]`, j.Workspace)
		}
	}
	address := net.JoinHostPort(cmp.Or(j.Host, "127.0.0.1"), strconv.Itoa(j.Port))
	args := j.commonArguments()
	args.RedirectOutput = true
	for i, m := range args.PathMappings {
		args.PathMappings[i].Local = prepare.Physical(prepare.Locate(j.Request, m.Local))
	}
	d := &dialect{base: plainBase(), attached: true, remote: true}
	return &adapters.Plan{
		Mode: j.Mode, Target: address, Modules: prepare.Roots(j.Request),
		Open:    func(ctx context.Context) (*adapters.Peer, error) { return dial(ctx, address) },
		Request: "attach", Arguments: args, Detach: true, Child: j.joinChild,
		Dialect: d, Capabilities: d.Capabilities(),
		Close: d.armed.Close,
	}, nil
}

// dial joins a program's own adapter, which speaks first: what says something
// else is no debugger.
func dial(ctx context.Context, address string) (*adapters.Peer, error) {
	p, err := peer.Dial(ctx, "tcp", address)
	if err != nil {
		return nil, fault.New(fault.SessionStart, "no debugger answers at %s: %w", address, err).WithField("port").
			WithHint("start the program there with `python -m debugpy --listen %s app.py`, or check host and port", address)
	}
	conn, ok := p.Stream.(net.Conn)
	if !ok {
		return p, nil
	}
	const greeting = "Content-Length: "
	reader := bufio.NewReader(conn)
	_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
	first, err := reader.Peek(len(greeting))
	_ = conn.SetReadDeadline(time.Time{})
	silent := os.IsTimeout(err) && len(first) == 0 // it may wait for us to speak
	if string(first) != greeting && !silent {
		p.Kill()
		return nil, fault.New(fault.SessionStart, "what listens at %s is no Python debugger, or somebody else debugs there already", address).WithField("port").
			WithHint("give the port of `python -m debugpy --listen`, and end other debuggers' sessions first")
	}
	p.Stream = peekedConn{conn, reader}
	return p, nil
}

// peekedConn is a connection of which the first bytes have been looked at.
type peekedConn struct {
	net.Conn
	reader *bufio.Reader
}

func (p peekedConn) Read(b []byte) (int, error) { return p.reader.Read(b) }
