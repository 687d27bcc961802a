package session

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	godap "github.com/google/go-dap"

	"aidb-mcp/dap"
)

// set is everything of one kind (and one file) that the adapter is told at
// once. Entries on one line travel as one group: adapters refuse doubles.
type set struct {
	kind    BreakpointKind
	file    string
	groups  [][]*entry
	command string
	args    any
	pending *dap.Pending
}

func (t *set) send(k *link) { t.pending = k.Send(t.command, t.args) }

// Requests whose lists must be [] when they are empty, never left out.
type (
	sourceSet struct {
		Source      godap.Source             `json:"source"`
		Breakpoints []godap.SourceBreakpoint `json:"breakpoints"`
	}
	functionSet struct {
		Breakpoints []godap.FunctionBreakpoint `json:"breakpoints"`
	}
	dataSet struct {
		Breakpoints []godap.DataBreakpoint `json:"breakpoints"`
	}
	filterSet struct {
		Filters       []string                       `json:"filters"`
		FilterOptions []godap.ExceptionFilterOptions `json:"filterOptions,omitempty"`
	}
)

// sets builds what a fresh adapter must be told; mu is held.
func (t *store) sets(caps godap.Capabilities) []set {
	var sets []set
	var files []string
	functions := false
	for _, e := range t.entries {
		switch {
		case e.Kind == FunctionBreakpoint && !e.asLine:
			functions = true
		case e.lines() && !slices.Contains(files, e.File):
			files = append(files, e.File)
			sets = append(sets, t.fileSet(e.File, caps))
		}
	}
	if functions && caps.SupportsFunctionBreakpoints {
		sets = append(sets, t.functionSet(caps))
	}
	return sets
}

// setOf builds the set that an entry belongs to; mu is held.
func (t *store) setOf(e *entry, caps godap.Capabilities) set {
	switch {
	case e.lines():
		return t.fileSet(e.File, caps)
	case e.Kind == FunctionBreakpoint:
		return t.functionSet(caps)
	}
	return t.dataSet(caps)
}

// groups collects the enabled entries that pass, those with an equal key together.
func (t *store) groups(pass func(*entry) bool, key func(*entry) string) [][]*entry {
	at := map[string]int{}
	var groups [][]*entry
	for _, e := range t.entries {
		if !e.Enabled || e.lost || e.hidden || !pass(e) {
			continue
		}
		k := key(e)
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

func (t *store) fileSet(file string, caps godap.Capabilities) set {
	out := set{kind: LineBreakpoint, file: file, command: "setBreakpoints"}
	out.groups = t.groups(
		func(e *entry) bool { return e.lines() && e.File == file },
		func(e *entry) string { return strconv.Itoa(e.asked) + ":" + strconv.Itoa(e.Column) })
	args := sourceSet{
		Source:      godap.Source{Name: filepath.Base(file), Path: file},
		Breakpoints: make([]godap.SourceBreakpoint, 0, len(out.groups)),
	}
	for _, g := range out.groups {
		c := carried(g, caps, caps.SupportsLogPoints)
		args.Breakpoints = append(args.Breakpoints, godap.SourceBreakpoint{
			Line: g[0].asked, Column: g[0].Column,
			Condition: c.condition, HitCondition: c.hit, LogMessage: c.log,
		})
	}
	out.args = args
	return out
}

func (t *store) functionSet(caps godap.Capabilities) set {
	out := set{kind: FunctionBreakpoint, command: "setFunctionBreakpoints"}
	out.groups = t.groups(
		func(e *entry) bool { return e.Kind == FunctionBreakpoint && !e.asLine },
		func(e *entry) string { return e.Function })
	args := functionSet{Breakpoints: make([]godap.FunctionBreakpoint, 0, len(out.groups))}
	for _, g := range out.groups {
		c := carried(g, caps, false)
		args.Breakpoints = append(args.Breakpoints, godap.FunctionBreakpoint{
			Name: g[0].Function, Condition: c.condition, HitCondition: c.hit,
		})
	}
	out.args = args
	return out
}

func (t *store) dataSet(caps godap.Capabilities) set {
	out := set{kind: WatchBreakpoint, command: "setDataBreakpoints"}
	out.groups = t.groups(
		func(e *entry) bool { return e.Kind == WatchBreakpoint },
		func(e *entry) string { return e.dataID })
	args := dataSet{Breakpoints: make([]godap.DataBreakpoint, 0, len(out.groups))}
	for _, g := range out.groups {
		c := carried(g, caps, false)
		args.Breakpoints = append(args.Breakpoints, godap.DataBreakpoint{
			DataId: g[0].dataID, AccessType: godap.DataBreakpointAccessType(g[0].Access),
			Condition: c.condition, HitCondition: c.hit,
		})
	}
	out.args = args
	return out
}

// extras are the parts of a breakpoint that the adapter checks itself.
type extras struct{ condition, hit, log string }

// carried decides who checks a group's conditions: the adapter when it can and
// the group is one entry, else we, and then the adapter is told the bare place.
func carried(group []*entry, caps godap.Capabilities, logs bool) extras {
	e := group[0]
	native := len(group) == 1 &&
		(e.Condition == "" || caps.SupportsConditionalBreakpoints) &&
		(e.HitCondition == "" || caps.SupportsHitConditionalBreakpoints) &&
		(e.LogMessage == "" || logs)
	for _, e := range group {
		e.supplied = !native && !e.plainly()
	}
	if !native || e.trial {
		return extras{}
	}
	c := extras{condition: e.Condition, log: e.LogMessage}
	if op, n, ok := parseHit(e.HitCondition); ok {
		c.hit = op + strconv.Itoa(n)
	}
	return c
}

// receive waits for the reply to a set and takes it into the store.
func (s *Session) receive(ctx context.Context, k *link, t *set) error {
	var body godap.SetBreakpointsResponseBody
	err := t.pending.Wait(ctx, &body)
	for i := range body.Breakpoints {
		k.life.correct(&body.Breakpoints[i])
	}
	var refused *dap.RequestError
	s.mu.Lock()
	defer s.mu.Unlock()
	main := k == k.life.main()
	if errors.As(err, &refused) { // the whole set was refused: each entry says why
		for _, g := range t.groups {
			for _, e := range g {
				e.bound(k, main, godap.Breakpoint{Message: refused.Message}, s.files)
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i, g := range t.groups {
		if i >= len(body.Breakpoints) {
			break
		}
		for _, e := range g {
			e.bound(k, main, body.Breakpoints[i], s.files)
			s.store.mark(e)
			s.creditLate(k, e)
		}
	}
	return nil
}

// creditLate gives a stop that is known, and about no known breakpoint, to one
// whose id has come only now. Until the stop is known, [store.hitLate] does it. mu
// is held.
func (s *Session) creditLate(k *link, e *entry) {
	still := s.still
	if still == nil || still.link != k || len(s.now.Hit) > 0 || e.Temporary || e.supplied || !e.Enabled {
		return
	}
	if id, known := e.ids[k]; known && slices.Contains(still.stop.Hit, id) {
		e.Hits++
		s.now.Hit = []int{e.ID}
	}
}

// push tells a running adapter the set that an entry belongs to. Before the
// adapter is configured and after its end the store alone is changed.
func (s *Session) push(ctx context.Context, e *entry) error {
	s.locate(ctx)
	release, err := hold(ctx, s.sending)
	if err != nil {
		return err
	}
	defer release()
	return s.pushHeld(ctx, e)
}

// pushHeld is push for whoever holds sending.
func (s *Session) pushHeld(ctx context.Context, e *entry) error {
	s.mu.Lock()
	l := s.life
	if l == nil || s.now.Status == Terminated {
		s.mu.Unlock()
		return nil
	}
	told := l.told()
	if len(told) > 0 && e.Kind == FunctionBreakpoint && e.soughtBy == l && !e.asLine {
		s.mu.Unlock()
		return nil // it says itself that it was not found
	}
	if len(told) > 0 && e.Kind == FunctionBreakpoint && !e.asLine && !l.caps().SupportsFunctionBreakpoints {
		e.Message = noFunctions
		s.mu.Unlock()
		return nil
	}
	sets := make([]set, len(told))
	for i, k := range told {
		sets[i] = s.store.setOf(e, k.caps)
	}
	s.mu.Unlock()
	for i, k := range told {
		sets[i].send(k)
	}
	var failed error
	for i, k := range told {
		if err := s.receive(ctx, k, &sets[i]); err != nil && i == 0 {
			failed = err // the others may end at any moment
		}
	}
	return s.adapterError(ctx, "set breakpoints", failed)
}

// dropTemporary takes the temporary breakpoints away at a stop, before it is
// told; it says whether there were any.
func (l *life) dropTemporary(ctx context.Context) bool {
	s := l.s
	release, err := hold(ctx, s.sending)
	if err != nil {
		return false
	}
	defer release()
	s.mu.Lock()
	var dropped []*entry
	for _, e := range slices.Clone(s.store.entries) {
		if e.Temporary {
			s.store.remove(e)
			dropped = append(dropped, e)
		}
	}
	s.mu.Unlock()
	for _, e := range oneOfEachSet(dropped) {
		if err := s.pushHeld(ctx, e); err != nil {
			s.log.Warn("remove temporary breakpoint", "error", err)
		}
	}
	return len(dropped) > 0
}

// oneOfEachSet picks one entry for each set that the entries belong to.
func oneOfEachSet(entries []*entry) []*entry {
	type key struct {
		kind BreakpointKind
		file string
	}
	told := map[key]bool{}
	var picked []*entry
	for _, e := range entries {
		k := key{kind: e.Kind}
		if e.lines() {
			k = key{LineBreakpoint, e.File}
		}
		if !told[k] {
			told[k] = true
			picked = append(picked, e)
		}
	}
	return picked
}
