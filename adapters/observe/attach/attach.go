// Package attach plans a session that only observes a running program: its debug adapter is
// a small one of our own, which knows the program's threads and its end, and can stop
// nothing. What is recorded goes past it (package observe).
package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe"
	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/dap"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
	"aidb-mcp/internal/system/process"
)

// options are the adapter_options of such a session.
type options struct {
	Observe  bool   `json:"observe"`
	MayPause bool   `json:"may_pause"` // where the kernel cannot record, a debugger may, which stops the program at each hit
	Debugger string `json:"debugger"`  // it is to do so in any case
}

// Wanted says that a request is for a session that only observes, by the option observe.
// Other options are not judged.
func Wanted(r adapters.Request) bool {
	var o options
	return len(r.Options) > 0 && json.Unmarshal(r.Options, &o) == nil && o.Observe
}

// CheckMode refuses to observe in a mode that starts a program.
func CheckMode(r adapters.Request, mode adapters.Mode) error {
	if Wanted(r) && mode != "" && mode != adapters.Attach {
		return fault.New(fault.InvalidParam, "observe goes with mode attach: a program that runs").WithField("adapter_options")
	}
	return nil
}

// Check says why a request for such a session cannot be meant. It does not look at the process.
func Check(r adapters.Request) error {
	var o options
	if err := prepare.Options(r.Options, &o, "an observing session", `{"observe": true}`); err != nil {
		return err
	}
	if err := CheckMode(r, r.Mode); err != nil {
		return err
	}
	if r.PID <= 0 {
		return fault.New(fault.MissingParam, "pid is missing: which process is to be observed?").WithField("pid").
			WithHint(`for example {"mode":"attach","pid":1234,"adapter_options":{"observe":true}}`)
	}
	return nil
}

// Plan plans such a session. It only looks at the process. Pausing is what records where the
// kernel cannot; its zero value is nothing.
func Plan(r adapters.Request, pausing Pausing) (*adapters.Plan, error) {
	if err := Check(r); err != nil {
		return nil, err
	}
	asked, err := pausing.asked(r)
	if err != nil {
		return nil, err
	}
	target, err := observable(r)
	if err != nil {
		return nil, err
	}
	armed := &recorders{pid: r.PID, pausing: pausing, asked: asked}
	plan := PlanWith(r.PID, target, armed.arm, armed.Close)
	plan.Capabilities.Observing.Cost = pausing.costs(asked)
	if why := process.Replaced(r.PID); why != "" {
		plan.Warnings = append(plan.Warnings, why)
	}
	plan.Program, plan.Capabilities.Observing.Stacks = executable(r.PID), true
	return plan, nil
}

// Arm puts a recorder into a program.
type Arm = func(context.Context, live.Spec) (adapters.Recorder, error)

// PlanWith plans a session that observes a process by what Arm puts into it; Leave takes all of that
// out again, and may be called more than once.
func PlanWith(pid int, target string, arm Arm, leave func()) *adapters.Plan {
	plan := planLooker(target, looker{pid: pid, leave: leave, refusal: neverStops})
	plan.Mode, plan.Close, plan.Capabilities.Observing.Arm = adapters.Attach, leave, arm
	return plan
}

// PlanFar plans a session with a program on whatever machine, of which the adapter knows another
// way to ask it; nothing is put into it, and its end is not seen. Refusal says what is had in
// place of a debugger.
func PlanFar(target, refusal string) *adapters.Plan {
	plan := planLooker(target, looker{leave: func() {}, refusal: refusal})
	plan.Mode = adapters.RemoteAttach
	plan.Capabilities.Observing = adapters.Observing{Remote: true, Why: refusal}
	return plan
}

// planLooker plans a session whose debug adapter is a looker.
func planLooker(target string, l looker) *adapters.Plan {
	return &adapters.Plan{
		Target: target, Request: "attach", Arguments: struct{}{}, Detach: true,
		Open:         func(context.Context) (*adapters.Peer, error) { return l.open() },
		Dialect:      adapters.Base{ID: "observe", Name: "the observer"},
		Capabilities: adapters.Capabilities{Start: adapters.Start{AttachKeepsRunning: true}},
		Close:        func() {},
	}
}

// ArmedRecorders are recorders that are in a program until Close. It is safe for concurrent use.
type ArmedRecorders struct {
	mu   sync.Mutex // guards the fields below
	list []adapters.Recorder
	over bool // Close was called
}

// Keep takes what arming has given. What is armed while the session ends is taken out at once.
func (k *ArmedRecorders) Keep(r adapters.Recorder, err error) (adapters.Recorder, error) {
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	over := k.over
	if !over {
		k.list = append(k.list, r)
	}
	k.mu.Unlock()
	if over {
		r.Close()
		return nil, fault.New(fault.SessionTerminated, "the session ended while a recorder was put into the program: it was taken out")
	}
	return r, nil
}

// Close takes all of them out of the program, at once: each may have to wait for a program that
// stands still, as long as its own limit is. It may be called more than once.
func (k *ArmedRecorders) Close() {
	k.mu.Lock()
	k.over = true
	list := slices.Clone(k.list)
	k.mu.Unlock()
	var all sync.WaitGroup
	for _, r := range list {
		all.Go(func() { r.Close() })
	}
	all.Wait()
}

func executable(pid int) string { return fmt.Sprintf("/proc/%d/exe", pid) }

// observable says what is observed, or why it cannot be.
func observable(r adapters.Request) (target string, err error) {
	path, err := os.Readlink(executable(r.PID))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fault.New(fault.InvalidParam, "there is no process %d", r.PID).WithField("pid").
			WithHint("look with ps or pgrep; processes end and their numbers are used again")
	case err != nil:
		return "", fault.New(fault.SessionStart, "process %d may not be looked at: %w", r.PID, err).WithField("pid").
			WithHint("it is another user's: run the server as that user, or as root")
	}
	im, err := image.Open(executable(r.PID))
	if err != nil {
		return "", fault.New(fault.InvalidTarget, "process %d (%s) cannot be observed: %w", r.PID, path, err).WithField("pid").
			WithHint("observing reads programs in machine code that were built with debug information (-g), on Linux on x86-64")
	}
	_ = im.Close() // it was only read
	if err := untraced(r.PID); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s (process %d)", prepare.Show(r, path), r.PID), nil
}

// untraced refuses a program that a debugger holds: a probe and a breakpoint at the same
// instruction, taken out in the wrong order, kill it.
func untraced(pid int) error {
	if process.Gone(pid) {
		return fault.New(fault.InvalidParam, "there is no process %d any more", pid).WithField("pid")
	}
	if tracer := process.TracerOf(pid); tracer != 0 {
		return fault.New(fault.InvalidTarget, "a debugger (process %d) holds process %d: its breakpoints and our probes would harm the program where they meet", tracer, pid).
			WithField("pid").WithHint("end that debugger's session first")
	}
	return nil
}

// refusal is why nothing was armed, as an agent reads it.
func refusal(w live.Spec, err error) error {
	switch {
	case errors.Is(err, observe.ErrForbidden):
		return fault.New(fault.NotSupported, "%w", err).
			WithHint("run the server as root, or give its binary the rights: setcap cap_bpf,cap_perfmon,cap_sys_ptrace+ep aidb-mcp")
	case errors.Is(err, observe.ErrUnsupported):
		return fault.New(fault.NotSupported, "%w", err)
	case errors.Is(err, observe.ErrTaken):
		return fault.New(fault.NotSupported, "nothing was armed: %w", err).WithHint("disarm a trace of writes, or end the debugger's watchpoints")
	case w.Written != "":
		return fault.New(fault.InvalidParam, "nothing was armed: %w", err).WithField("expression").
			WithHint("name a variable that stays where it is (a global, or a static one), a field or an element of one, or what a global pointer points to: served, table.kinds[2], head->count, *count")
	}
	return fault.New(fault.InvalidParam, "nothing was armed: %w", err).
		WithHint("name what the source has: functions for calls; for values a line with code, and variables, fields, elements with a number, or what a pointer points to")
}

// open serves the adapter's side of a connection in this process.
func (l looker) open() (*adapters.Peer, error) {
	if l.pid != 0 {
		end, err := watchEnd(l.pid)
		if err != nil {
			return nil, fault.New(fault.InvalidParam, "there is no process %d any more: %w", l.pid, err).WithField("pid")
		}
		l.end = end
	}
	client, server := net.Pipe()
	l.client, l.out = server, dap.NewServer(server)
	done := make(chan struct{})
	go func() { // answers the client until it has gone
		defer close(done)
		l.serve()
	}()
	return &adapters.Peer{
		Stream: client, Done: done, Stderr: func() string { return "" },
		Kill: func() {
			_ = client.Close() // a pipe in memory
			<-done
		},
	}, nil
}
