package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/observe"
	"aidb-mcp/adapters/observe/inside"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// Pausing is what debuggers record which the kernel cannot: their breakpoints stop the program,
// and let it go on by themselves.
type Pausing struct {
	Debuggers []string // their names among the options, the first that is there before the others; empty: there is none
	Cost      string   // what it costs the program
	// Arm has one of them record; an empty name is any that is there.
	Arm func(ctx context.Context, pid int, debugger string, w live.Spec) (adapters.Recorder, error)
}

// first is the debugger that is taken where nobody says which.
func (p Pausing) first() string {
	if len(p.Debuggers) == 0 {
		return ""
	}
	return p.Debuggers[0]
}

// asked reads the options that concern it.
func (p Pausing) asked(r adapters.Request) (options, error) {
	var o options
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return o, fmt.Errorf("reading adapter_options: %w", err)
	}
	switch {
	case (o.MayPause || o.Debugger != "") && p.first() == "":
		return o, fault.New(fault.NotSupported, "no debugger records in running programs of this language: may_pause changes nothing").WithField("adapter_options").
			WithHint(`leave out may_pause and debugger; without observe an attached debugger has breakpoints with log_message`)
	case o.Debugger != "" && !slices.Contains(p.Debuggers, o.Debugger):
		return o, fault.New(fault.InvalidParam, "%q records in no running program: %s does", o.Debugger, strings.Join(p.Debuggers, " or ")).WithField("adapter_options").
			WithHint(`{"observe":true,"may_pause":true,"debugger":%q}`, p.first())
	case o.Debugger != "" && !o.MayPause:
		return o, fault.New(fault.InvalidParam, "recording by %s stops the program: %s", o.Debugger, p.Cost).WithField("adapter_options").
			WithHint(`if the program may be paused: {"observe":true,"may_pause":true,"debugger":%q}`, o.Debugger)
	}
	return o, nil
}

// costs says in a few words what a hit will cost.
func (p Pausing) costs(asked options) string {
	const kernel, paused = "1 to 30 µs, without a stop", "1 to 3 ms, with all its threads stopped"
	switch {
	case asked.Debugger != "":
		return paused
	case asked.MayPause:
		return kernel + "; where a debugger has to record, " + paused
	}
	return kernel
}

// recorders are those that are armed in the program: they end with the session.
type recorders struct {
	ArmedRecorders
	pid     int
	pausing Pausing
	asked   options

	arming sync.Mutex // guards the fields below
	probed bool       // the kernel has had probes in the program
	paused *paused    // by which a debugger is in the program; nil: none was
}

// arm puts a recorder into the program.
func (a *recorders) arm(ctx context.Context, w live.Spec) (adapters.Recorder, error) {
	a.arming.Lock()
	defer a.arming.Unlock()
	if a.paused != nil && !a.paused.isClosed() {
		return nil, fault.New(fault.NotSupported, "a debugger records in the program already, and records one thing at a time").
			WithHint(`disarm that first: {"action":"disarm"}`)
	}
	if err := untraced(a.pid); err != nil {
		return nil, err
	}
	if a.asked.Debugger != "" {
		return a.pause(ctx, w)
	}
	r, err := observe.Arm(ctx, a.pid, w)
	if err == nil {
		a.probed = true
		return a.Keep(r, nil)
	}
	if !isBeyondKernel(err) || !a.asked.MayPause {
		return nil, a.pausing.offered(refusal(w, err), isBeyondKernel(err))
	}
	return a.pause(ctx, w)
}

// isBeyondKernel says that it is the kernel which does not do it, whatever is asked.
func isBeyondKernel(err error) bool {
	return errors.Is(err, observe.ErrForbidden) || errors.Is(err, observe.ErrUnsupported) || errors.Is(err, observe.ErrTaken)
}

// offered adds to a refusal what a debugger could do, and what that costs.
func (p Pausing) offered(err error, always bool) error {
	refused := new(fault.Error)
	if p.first() == "" || !errors.As(err, &refused) {
		return err
	}
	options := `{"observe":true,"may_pause":true}`
	if !always { // the kernel would be asked first, and refuse again
		options = fmt.Sprintf(`{"observe":true,"may_pause":true,"debugger":%q}`, p.first())
	}
	said := fmt.Sprintf("%s can record what the kernel cannot (%s): if the program may be paused, end this session and start it with adapter_options %s", p.first(), p.Cost, options)
	if refused.Hint != "" {
		said = refused.Hint + "; or " + said
	}
	return refused.WithHint("%s", said)
}

// pause has the debugger record.
func (a *recorders) pause(ctx context.Context, w live.Spec) (adapters.Recorder, error) {
	if a.probed {
		return nil, fault.New(fault.NotSupported, "the kernel has had probes in the program in this session: where one still lies when a breakpoint is set on it, the program would die").
			WithHint(`end the session, and start another with adapter_options {"observe":true,"may_pause":true,"debugger":%q}`, a.pausing.first())
	}
	if w.Stack {
		return nil, fault.New(fault.NotSupported, "a debugger that pauses the program notes no callers: to read them it would have to stand longer at each hit").WithField("stack").
			WithHint("leave stack out, or record by the kernel")
	}
	if err := prepare.Signallable(a.pid); err != nil {
		return nil, err
	}
	r, err := a.pausing.Arm(ctx, a.pid, a.asked.Debugger, w)
	if err != nil {
		return nil, err
	}
	p := &paused{Recorder: r}
	kept, err := a.Keep(p, nil)
	if err == nil {
		a.paused = p
	}
	return kept, err
}

// paused is a recorder by a debugger. It is safe for concurrent use.
type paused struct {
	adapters.Recorder
	mu     sync.Mutex // guards closed
	closed bool
}

func (p *paused) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// Close takes the debugger out of the program.
func (p *paused) Close() live.State {
	state := p.Recorder.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	return state
}

// RefusedByDebugger is why a debugger has recorded nothing. Written says what can be watched for
// writes in its language.
func RefusedByDebugger(err error, by, written string, w live.Spec) error {
	refused := new(inside.RefusedError)
	if !errors.As(err, &refused) {
		return fault.New(fault.NotSupported, "%s cannot record in the program: %w", by, err).
			WithHint("look whether the program lives, and whether this user may trace it (kernel.yama.ptrace_scope)")
	}
	e := fault.New(fault.InvalidParam, "nothing was armed: %w", err).
		WithHint("name what the source has: functions for calls; for values a line with code, and expressions that call nothing; for writes %s", written)
	switch {
	case w.Written != "":
		e = e.WithField("expression")
	case w.File == "":
		e = e.WithField("functions")
	}
	return e
}
