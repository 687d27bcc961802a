package session

import (
	"strings"

	"aidb-mcp/adapters"
)

// Capability is one line of config(capabilities).
type Capability struct {
	Name    string // "hit_conditions", "watchpoints", "jump", "step_back", …
	Support Support
	Note    string
}

// Capabilities says what can be done in this session, and by whom: what the
// live adapter advertises, what its dialect adds and what the engine supplies.
// Before the adapter has advertised so, it is empty.
func (s *Session) Capabilities() []Capability {
	l := s.currentRun()
	if l == nil || l.plan() == nil || l.connections.root() == nil {
		return nil
	}
	advertised := adapters.Advertised{Protocol: l.connections.protocol(), Capabilities: l.plan().Capabilities}
	ours := l.plan().Streams != nil || l.programs.first() != nil
	return capabilities(advertised, ours)
}

// Advertised says what can be done with an adapter before anything is started;
// nothing when it cannot tell.
func Advertised(a adapters.Adapter) ([]Capability, error) {
	advertise := a.Services().Advertise
	if advertise == nil {
		return nil, nil
	}
	advertised, err := advertise()
	if err != nil {
		return nil, err
	}
	return capabilities(advertised, true), nil
}

// capabilities joins what the adapter advertises, what its dialect adds and
// what the engine supplies; ours says that the program's streams are.
func capabilities(advertised adapters.Advertised, ours bool) []Capability {
	caps, extra := advertised.Protocol, advertised.Capabilities
	filters := make([]string, len(caps.ExceptionBreakpointFilters))
	for i, f := range caps.ExceptionBreakpointFilters {
		filters[i] = f.Filter
	}
	assigns := extra.Values.Assignment != nil && extra.Values.Assignment("x", "y") != ""
	return []Capability{
		{"conditions", supportOf(caps.SupportsConditionalBreakpoints, true), ""},
		{"hit_conditions", supportOf(caps.SupportsHitConditionalBreakpoints, true), ""},
		{"logpoints", supportOf(caps.SupportsLogPoints, true), ""},
		{"function_breakpoints", supportOf(caps.SupportsFunctionBreakpoints, extra.Breakpoints.Definitions != nil), ""},
		{"watchpoints", supportOf(caps.SupportsDataBreakpoints, false), ""},
		{"exception_filters", supportOf(len(filters) > 0, false), strings.Join(filters, ", ")},
		{"set_variable", supportOf(caps.SupportsSetVariable || caps.SupportsSetExpression, assigns), ""},
		{"restart", Supplied, "ends the program, builds it again and starts it anew"},
		{"run_until", Supplied, ""},
		{"step_into_function", Supplied, ""},
		{"step_back", supportOf(caps.SupportsStepBack, false), ""},
		{"step_instruction", supportOf(caps.SupportsSteppingGranularity, false), ""},
		{"jump", supportOf(extra.Machine.Jump != nil || caps.SupportsGotoTargetsRequest, false), ""},
		{"return_values", supportOf(extra.Values.Returned != nil, false), ""},
		{"exception_info", supportOf(caps.SupportsExceptionInfoRequest, false), ""},
		{"memory", supportOf(extra.Machine.Memory != nil || caps.SupportsReadMemoryRequest, false), ""},
		{"disassembly", supportOf(caps.SupportsDisassembleRequest, false), ""},
		{"registers", supportOf(extra.Machine.Registers != nil || extra.Machine.RegisterScope, false), ""},
		{"globals", supportOf(extra.Values.Globals != nil || extra.Values.GlobalScope, false), ""},
		{"modules", supportOf(extra.Machine.Modules != nil || caps.SupportsModulesRequest, false), ""},
		{"thread_states", supportOf(extra.Threads.Digest != nil, true), ""},
		{"stdin", supportOf(ours, false), ""},
		{"patch", supportOf(extra.Machine.Patch != nil, false), ""},
	}
}

func supportOf(native, supplied bool) Support {
	switch {
	case native:
		return Native
	case supplied:
		return Supplied
	}
	return Impossible
}
