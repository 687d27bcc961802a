package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// mostArmed recorders may be in a program at once.
const mostArmed = 8

// armedTraces are the recorders that are in a running program. They end with the plan of the run; nothing here has to be told.
type armedTraces struct {
	observing func() adapters.Observing        // what the adapter of the run can do
	within    func() (adapters.Entered, error) // the program with the debugger in it
	hint      func() string                    // how a session comes to observe
	here      func(file string) string         // a file of the program on this machine
	ended     func() bool                      // the program has; a recorder may not have heard of it yet

	arming sync.Mutex // guards the fields below
	count  int
	traces []*ArmedTrace
}

// ArmedTrace is a recorder with what it was asked.
type ArmedTrace struct {
	ID   string
	Spec live.Spec

	recorder adapters.Recorder
}

// Arm puts a recorder into the running program, which stops for nothing. Errors are
// *fault.Error.
func (a *armedTraces) Arm(ctx context.Context, w live.Spec) (*ArmedTrace, live.State, error) {
	arm, enter := a.observing().Arm, a.observing().Enter
	if w.Stack && (arm != nil || enter != nil) && !a.observing().Stacks {
		return nil, live.State{}, fault.New(fault.NotSupported, "what records in this program notes no callers: only the kernel does, in programs of machine code").WithField("stack").
			WithHint("leave stack out; trace without action runs the program again, and its rows of calls have the caller")
	}
	if arm == nil {
		p, err := a.within()
		if err != nil { // it has not begun, or has ended
			return nil, live.State{}, err
		}
		if enter == nil {
			return nil, live.State{}, a.cannotRecord()
		}
		arm = func(ctx context.Context, w live.Spec) (adapters.Recorder, error) { return enter(ctx, p, w) }
	}
	a.arming.Lock()
	defer a.arming.Unlock()
	if len(a.traces) == mostArmed {
		return nil, live.State{}, fault.New(fault.InvalidParam, "%d traces are armed already: %s", mostArmed, idsOf(a.traces)).WithField("action").
			WithHint(`disarm one: {"action":"disarm","id":%q}`, a.traces[0].ID)
	}
	r, err := arm(ctx, w)
	if err != nil {
		return nil, live.State{}, err
	}
	a.count++
	t := &ArmedTrace{ID: fmt.Sprintf("trace-%d", a.count), Spec: w, recorder: r}
	a.traces = append(a.traces, t)
	_, state := r.Read(0)
	return t, state, nil
}

// enteredProgram is the program, with the debugger's connection to it.
func (s *Session) enteredProgram() (adapters.Entered, error) {
	_, main, err := s.liveConnection()
	if err != nil {
		return adapters.Entered{}, err
	}
	return adapters.Entered{PID: s.PID(), Caller: main}, nil
}

// Observes says that the session has no debugger: it only records.
func (s *Session) Observes() bool { return s.capabilities().Observing.IsAlone() }

// ArmingCost is what a hit of a trace that is armed would cost the program, in a few words; empty where none can be armed.
func (s *Session) ArmingCost() string {
	can := s.capabilities().Observing
	if can.Arm == nil && can.Enter == nil {
		return ""
	}
	return can.Cost
}

// observeHint says how a session comes to observe.
func observeHint(s *Session) string {
	if why := s.capabilities().Observing.Why; why != "" {
		return why
	}
	return fmt.Sprintf(`end it, then: session_start {"mode":"attach","pid":%d,"adapter_options":{"observe":true}} (of languages that can be observed, on Linux)`, s.PID())
}

// cannotRecord says what a session would have to be in which a trace can be armed.
func (a *armedTraces) cannotRecord() *fault.Error {
	what := "records in sessions that only observe, which this one does not"
	if a.observing().Why != "" {
		what = "cannot record in this session"
	}
	return fault.New(fault.NotSupported, "trace(arm) %s", what).WithHint("%s", a.hint())
}

// armedCount is how many there are.
func (a *armedTraces) armedCount() int {
	a.arming.Lock()
	defer a.arming.Unlock()
	return len(a.traces)
}

// idsOf names traces.
func idsOf(traces []*ArmedTrace) string {
	var list []string
	for _, t := range traces {
		list = append(list, t.ID)
	}
	return strings.Join(list, ", ")
}

// byID is one by its id, or the only one there is.
func (a *armedTraces) byID(id string) (*ArmedTrace, error) {
	a.arming.Lock()
	defer a.arming.Unlock()
	switch {
	case len(a.traces) == 0:
		return nil, fault.New(fault.InvalidParam, "no trace is armed").WithField("id").WithHint(`arm one: {"action":"arm","what":"calls","functions":["name"]}`)
	case id == "" && len(a.traces) == 1:
		return a.traces[0], nil
	case id == "":
		return nil, fault.New(fault.MissingParam, "which one? armed are %s", idsOf(a.traces)).WithField("id").WithHint(`for example {"id":%q}`, a.traces[0].ID)
	}
	at := slices.IndexFunc(a.traces, func(t *ArmedTrace) bool { return t.ID == id })
	if at < 0 {
		return nil, fault.New(fault.InvalidParam, "no trace %s is armed; armed are %s", id, idsOf(a.traces)).WithField("id").WithHint(`for example {"id":%q}`, a.traces[0].ID)
	}
	return a.traces[at], nil
}

// ReadArmed gives the rows that a recorder has made since the last call, at most that many.
func (a *armedTraces) ReadArmed(id string, most int) (*ArmedTrace, []live.Row, live.State, error) {
	t, err := a.byID(id)
	if err != nil {
		return nil, nil, live.State{}, err
	}
	rows, state := a.readRows(t, most)
	return t, rows, state, nil
}

// readRows are rows with the program's files where they are here.
func (a *armedTraces) readRows(t *ArmedTrace, most int) ([]live.Row, live.State) {
	rows, state := t.readCalls(most)
	state.Running = state.Running && !a.ended()
	known := map[string]string{}
	here := func(file string) string {
		if _, is := known[file]; !is {
			known[file] = a.here(file)
		}
		return known[file]
	}
	for i := range rows {
		rows[i].File = here(rows[i].File)
		for k := range rows[i].Stack {
			if f := &rows[i].Stack[k]; f.File != "" {
				f.File = here(f.File)
			}
		}
	}
	return rows, state
}

// mostBehind is how many more rows are read than asked for, so that calls have their ends.
const mostBehind = 64

// readCalls reads at most so many rows, and those behind them until each call that begins in them has
// its end, as far as that is soon there.
func (t *ArmedTrace) readCalls(most int) ([]live.Row, live.State) {
	rows, state := t.recorder.Read(most)
	open := map[int64]bool{}
	for i, end := 0, len(rows)+mostBehind; ; i++ {
		if i == len(rows) {
			if len(open) == 0 || state.Waiting == 0 || i == end {
				return rows, state
			}
			var next []live.Row
			if next, state = t.recorder.Read(1); len(next) == 0 {
				return rows, state
			}
			rows = append(rows, next...)
		}
		switch r := rows[i]; {
		case r.Kind == live.Enter && r.Call != 0:
			open[r.Call] = true
		case r.Kind == live.Leave:
			delete(open, r.Call)
		}
	}
}

// Disarm takes a recorder out of the program, and gives the rows that were not read yet, at
// most that many.
func (a *armedTraces) Disarm(id string, most int) (*ArmedTrace, []live.Row, live.State, error) {
	t, err := a.byID(id)
	if err != nil {
		return nil, nil, live.State{}, err
	}
	t.recorder.Close()
	rows, state := a.readRows(t, most)
	t.recorder.Read(math.MaxInt) // the others are no longer to be had: the plan keeps the recorder, not them
	a.arming.Lock()
	defer a.arming.Unlock()
	a.traces = slices.DeleteFunc(a.traces, func(o *ArmedTrace) bool { return o == t })
	return t, rows, state, nil
}
