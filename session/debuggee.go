package session

import (
	"context"
	"net"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
)

// adapterOf finds the adapter for a program that runs already: by its
// executable or that of what listens at its port, by the files of the breakpoints, by
// what is spoken there, and at last by the workspace. The request then has the
// connection on which that was asked, if there is one.
func (m *Manager) adapterOf(r *StartRequest) (adapters.Adapter, error) {
	p := r.Program
	p.Debuggee = adapters.FindDebuggee(p)
	for _, b := range r.Break {
		if b.File != "" {
			p.Debuggee.Sources = append(p.Debuggee.Sources, b.File)
		}
	}
	a, sure := m.registry.Surest(p)
	if p.Port != 0 && sure < adapters.BySource {
		spoken, line, err := adapters.Probe(context.Background(), p.Host, p.Port)
		if err != nil && a == nil { // else the adapter says it best
			return nil, fault.New(fault.SessionStart, "nothing can be attached to at %s: %w", portAddress(p), err).WithField("port").
				WithHint("start the program so that it listens for debuggers there, or look at host and port")
		}
		if spoken != "" {
			p.Debuggee.Protocol = spoken
			a, _ = m.registry.Surest(p)
		}
		r.Program.Debuggee.Line = line
	}
	if a != nil {
		return a, nil
	}
	what := p.Debuggee.String()
	if p.Port != 0 {
		what = "what listens at " + portAddress(p)
		if p.Debuggee.PID != 0 {
			what += " (" + p.Debuggee.String() + ")"
		}
	}
	return nil, fault.New(fault.InvalidTarget, "cannot tell the language of %s", what).WithField("language").
		WithHint("give language, one of: %s", strings.Join(m.registry.Languages(), ", "))
}

func portAddress(p adapters.Request) string {
	host := p.Host
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, strconv.Itoa(p.Port))
}
