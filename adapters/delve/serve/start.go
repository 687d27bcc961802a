//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/debugger"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
	"aidb-mcp/internal/system/mend"
)

// start starts or attaches to the program, then gives it to a DAP session of
// Delve that finds it "already being debugged".
func (f *front) start(req request) {
	if f.inner != nil {
		f.fail(req, errors.New("a program is being debugged already"))
		return
	}
	var args wire.Start
	if err := json.Unmarshal(req.Arguments, &args); err != nil {
		f.fail(req, fmt.Errorf("reading the arguments: %w", err))
		return
	}
	conf := config()
	dbg, err := f.debug(&conf.Debugger, args)
	if err != nil {
		f.fail(req, err)
		return
	}
	f.group = targets(dbg)
	f.dbg, f.paths, f.frozen = dbg, newPaths(args.SubstitutePath), args.Mode == "core"
	f.attached, f.pid = args.Mode == "attach", args.PID
	f.inner = newInner(conf, dbg)
	if !f.frozen {
		f.ending.follow(dbg.ProcessPid())
	}
	f.announce(args)
	if err := f.handOver(req, args); err != nil {
		f.fail(req, err)
	}
	go f.pump()
}

func config() *service.Config {
	return &service.Config{Debugger: debugger.Config{Backend: "default", CheckGoVersion: true, DisableASLR: true}}
}

// debug makes the debugger. The program's streams are closed here afterwards,
// so that they end when the program does.
func (f *front) debug(c *debugger.Config, args wire.Start) (*debugger.Debugger, error) {
	defer f.std.program.close()
	if args.Backend != "" {
		c.Backend = args.Backend
	}
	if args.DisableASLR != nil {
		c.DisableASLR = *args.DisableASLR
	}
	if args.CheckGoVersion != nil {
		c.CheckGoVersion = *args.CheckGoVersion
	}
	if c.CheckGoVersion {
		if err := checkGo(args); err != nil {
			return nil, err
		}
	}
	var argv []string
	switch args.Mode {
	case "attach":
		c.AttachPid = args.PID
	case "core":
		c.Backend, c.CoreFile = "core", args.CoreFile
		argv = []string{args.Program}
	default:
		c.WorkingDir = args.Cwd
		argv = append([]string{args.Program}, args.Args...)
		if err := f.connect(c); err != nil {
			return nil, err
		}
	}
	dbg, err := f.create(c, argv)
	f.relay.removePipes()
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "could not launch process: "))
	}
	group, unlock := dbg.LockTargetGroup()
	f.mendUnwinding(group)
	unlock()
	if args.FollowExec {
		err = dbg.FollowExec(true, args.FollowExecRegex)
	}
	return dbg, err
}

// attempts bounds how often a program is attached to again of which a thread was missed.
const attempts = 5

// create makes the debugger. Delve misses a thread that is born while it attaches, which
// would end the program at the first breakpoint that it comes to.
func (f *front) create(c *debugger.Config, argv []string) (dbg *debugger.Debugger, err error) {
	if c.AttachPid != 0 {
		f.before, _ = mend.Look(c.AttachPid) // what cannot be seen cannot be attached to
	}
	for range attempts {
		dbg, err = debugger.New(c, argv)
		if err != nil || c.AttachPid == 0 || wholly(c.AttachPid) {
			return dbg, err
		}
		if err = dbg.Detach(false); err != nil {
			return nil, err
		}
		err = errors.New("threads of the program are born faster than they can be attached to; try again")
	}
	return nil, err
}

func targets(dbg *debugger.Debugger) *proc.TargetGroup {
	group, unlock := dbg.LockTargetGroup()
	defer unlock()
	return group
}

// checkGo explains a Go version that Delve does not know, before Delve refuses
// it in its own words. What cannot be read here is left to Delve.
func checkGo(args wire.Start) error {
	program := args.Program
	if args.Mode == "attach" {
		program = fmt.Sprintf("/proc/%d/exe", args.PID)
	}
	info, err := BuildInfo(program)
	if err != nil {
		return nil
	}
	if why := unknownGo(info.GoVersion); why != "" {
		return errors.New(why)
	}
	return nil
}

// connect gives the program its standard streams: ours, or a relay to the client.
func (f *front) connect(c *debugger.Config) error {
	if p := f.std.program; p != nil {
		c.Stdin = path(p.stdin)
		c.Stdout = proc.OutputRedirect{File: p.stdout}
		c.Stderr = proc.OutputRedirect{File: p.stderr}
		return nil
	}
	relay, err := newRelay(f.sendMessage)
	if err != nil {
		return fmt.Errorf("redirecting the program's output: %w", err)
	}
	f.relay = relay
	c.Stdin, c.Stdout, c.Stderr = empty, relay.stdout, relay.stderr
	return nil
}

// announce tells the client which process it is, and what is wrong with it.
func (f *front) announce(args wire.Start) {
	started := godap.ProcessEvent{Event: event("process")}
	started.Body.Name = args.Program
	started.Body.SystemProcessId = f.dbg.ProcessPid()
	started.Body.IsLocalProcess = args.Mode != "core"
	started.Body.StartMethod = "launch"
	if args.Mode == "attach" {
		started.Body.StartMethod = "attach"
	}
	f.sendMessage(started)
	for _, w := range args.Warnings {
		f.sendMessage(godap.OutputEvent{
			Event: event("output"),
			Body:  godap.OutputEventBody{Category: "important", Output: w + "\n"},
		})
	}
}

// handOver makes the session ready and lets its reply be the client's.
func (f *front) handOver(req request, args wire.Start) error {
	if f.hello != nil {
		seq := peekSeq(f.hello)
		if _, err := f.inner.exchange(seq, f.hello, f.send); err != nil {
			return fmt.Errorf("initializing the session: %w", err)
		}
	}
	frame, err := json.Marshal(attachRemote(req, args))
	if err != nil {
		return err
	}
	answer, err := f.inner.exchange(req.Seq, frame, f.send)
	if err != nil {
		return fmt.Errorf("handing the program over: %w", err)
	}
	var outcome godap.ErrorResponse
	if err := json.Unmarshal(answer, &outcome); err != nil {
		return err
	}
	if !outcome.Success {
		return errors.New(outcome.Body.Error.Format)
	}
	f.succeed(req, nil)
	return nil
}

func peekSeq(frame []byte) int {
	var req request
	_ = json.Unmarshal(frame, &req) // it was read before
	return req.Seq
}

// attachArguments are Delve's, for a debugger that exists already.
type attachArguments struct {
	Mode        string `json:"mode"`
	StopOnEntry bool   `json:"stopOnEntry,omitempty"`
	wire.Options
}

type attachRequest struct {
	godap.Request
	Arguments attachArguments `json:"arguments"`
}

func attachRemote(req request, args wire.Start) attachRequest {
	r := attachRequest{Arguments: attachArguments{Mode: "remote", StopOnEntry: args.StopOnEntry, Options: args.Options}}
	r.Seq, r.Type, r.Command = req.Seq, "request", "attach"
	r.Arguments.FollowExec = false // done already, and refused here
	if r.Arguments.HideSystemGoroutines == nil {
		hide := true
		r.Arguments.HideSystemGoroutines = &hide
	}
	return r
}
