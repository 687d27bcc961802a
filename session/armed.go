package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/recording/live"
)

// mostArmed recorders may be in a program at once.
const mostArmed = 8

// armedTraces are the recorders that are in a running program, and those that were taken out
// and can still be read. They end with the plan of the run; nothing here has to be told.
type armedTraces struct {
	mu   sync.Mutex
	next int
	list []*ArmedTrace
}

// ArmedTrace is a recorder with what it was asked.
type ArmedTrace struct {
	ID   string
	Spec live.Spec

	recorder adapters.Recorder
}

// Arm puts a recorder into the running program, which stops for nothing. Errors are
// *fault.Error.
func (s *Session) Arm(ctx context.Context, w live.Spec) (*ArmedTrace, live.State, error) {
	arm := s.capabilities().Observing.Arm
	if arm == nil {
		return nil, live.State{}, fault.New(fault.NotSupported, "trace(arm) records in sessions that only observe, which this one does not").
			WithHint("%s", s.observeHint())
	}
	s.armed.mu.Lock()
	defer s.armed.mu.Unlock()
	if len(s.armed.list) == mostArmed {
		return nil, live.State{}, fault.New(fault.InvalidParam, "%d traces are armed already: %s", mostArmed, s.armed.ids()).WithField("action").
			WithHint(`disarm one: {"action":"disarm","id":%q}`, s.armed.list[0].ID)
	}
	r, err := arm(ctx, w)
	if err != nil {
		return nil, live.State{}, err
	}
	s.armed.next++
	t := &ArmedTrace{ID: fmt.Sprintf("trace-%d", s.armed.next), Spec: w, recorder: r}
	s.armed.list = append(s.armed.list, t)
	_, state := r.Read(0)
	return t, state, nil
}

// Observes says that the session has no debugger: it only records.
func (s *Session) Observes() bool { return s.capabilities().Observing.Arm != nil }

// observeHint says how a session comes to live.
func (s *Session) observeHint() string {
	if why := s.capabilities().Observing.Why; why != "" {
		return why
	}
	return fmt.Sprintf(`end it, then: session_start {"mode":"attach","pid":%d,"adapter_options":{"observe":true}} (programs in machine code, on Linux)`, s.PID())
}

// ids are those of all that are armed. mu is held.
func (a *armedTraces) ids() string {
	var list []string
	for _, t := range a.list {
		list = append(list, t.ID)
	}
	return strings.Join(list, ", ")
}

// find is one by its id, or the only one there is.
func (a *armedTraces) find(id string) (*ArmedTrace, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case len(a.list) == 0:
		return nil, fault.New(fault.InvalidParam, "no trace is armed").WithField("id").WithHint(`arm one: {"action":"arm","what":"calls","functions":["name"]}`)
	case id == "" && len(a.list) == 1:
		return a.list[0], nil
	case id == "":
		return nil, fault.New(fault.MissingParam, "which one? armed are %s", a.ids()).WithField("id").WithHint(`for example {"id":%q}`, a.list[0].ID)
	}
	at := slices.IndexFunc(a.list, func(t *ArmedTrace) bool { return t.ID == id })
	if at < 0 {
		return nil, fault.New(fault.InvalidParam, "no trace %s is armed; armed are %s", id, a.ids()).WithField("id").WithHint(`for example {"id":%q}`, a.list[0].ID)
	}
	return a.list[at], nil
}

// ReadArmed gives the rows that a recorder has made since the last call, at most that many.
func (s *Session) ReadArmed(id string, most int) (*ArmedTrace, []live.Row, live.State, error) {
	t, err := s.armed.find(id)
	if err != nil {
		return nil, nil, live.State{}, err
	}
	rows, state := s.readRows(t, most)
	return t, rows, state, nil
}

// readRows are rows with the program's files where they are here.
func (s *Session) readRows(t *ArmedTrace, most int) ([]live.Row, live.State) {
	rows, state := t.recorder.Read(most)
	here := map[string]string{}
	for i, r := range rows {
		if here[r.File] == "" {
			here[r.File] = s.localPath(r.File)
		}
		rows[i].File = here[r.File]
	}
	return rows, state
}

// Disarm takes a recorder out of the program, and gives the rows that were not read yet, at
// most that many.
func (s *Session) Disarm(id string, most int) (*ArmedTrace, []live.Row, live.State, error) {
	t, err := s.armed.find(id)
	if err != nil {
		return nil, nil, live.State{}, err
	}
	t.recorder.Close()
	rows, state := s.readRows(t, most)
	s.armed.mu.Lock()
	defer s.armed.mu.Unlock()
	s.armed.list = slices.DeleteFunc(s.armed.list, func(o *ArmedTrace) bool { return o == t })
	return t, rows, state, nil
}
