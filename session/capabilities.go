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
	s.mu.Lock()
	l := s.run
	if l == nil || l.plan == nil || l.root() == nil {
		s.mu.Unlock()
		return nil
	}
	advertised := adapters.Advertised{Protocol: l.caps(), Capabilities: l.plan.Capabilities}
	ours := l.plan.Streams != nil || l.ourStreams()
	s.mu.Unlock()
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
		{"conditions", either(caps.SupportsConditionalBreakpoints, true), ""},
		{"hit_conditions", either(caps.SupportsHitConditionalBreakpoints, true), ""},
		{"logpoints", either(caps.SupportsLogPoints, true), ""},
		{"function_breakpoints", either(caps.SupportsFunctionBreakpoints, extra.Breakpoints.Definitions != nil), ""},
		{"watchpoints", either(caps.SupportsDataBreakpoints, false), ""},
		{"exception_filters", either(len(filters) > 0, false), strings.Join(filters, ", ")},
		{"set_variable", either(caps.SupportsSetVariable || caps.SupportsSetExpression, assigns), ""},
		{"restart", Supplied, "ends the program, builds it again and starts it anew"},
		{"run_until", Supplied, ""},
		{"step_into_function", Supplied, ""},
		{"step_back", either(caps.SupportsStepBack, false), ""},
		{"step_instruction", either(caps.SupportsSteppingGranularity, false), ""},
		{"jump", either(extra.Machine.Jump != nil || caps.SupportsGotoTargetsRequest, false), ""},
		{"return_values", either(extra.Values.Returned != nil, false), ""},
		{"exception_info", either(caps.SupportsExceptionInfoRequest, false), ""},
		{"memory", either(extra.Machine.Memory != nil || caps.SupportsReadMemoryRequest, false), ""},
		{"disassembly", either(caps.SupportsDisassembleRequest, false), ""},
		{"registers", either(extra.Machine.Registers != nil || extra.Machine.RegisterScope, false), ""},
		{"globals", either(extra.Values.Globals != nil || extra.Values.GlobalScope, false), ""},
		{"modules", either(extra.Machine.Modules != nil || caps.SupportsModulesRequest, false), ""},
		{"thread_states", either(extra.Threads.Digest != nil, true), ""},
		{"stdin", either(ours, false), ""},
		{"patch", either(extra.Machine.Patch != nil, false), ""},
	}
}

func either(native, supplied bool) Support {
	switch {
	case native:
		return Native
	case supplied:
		return Supplied
	}
	return Impossible
}
