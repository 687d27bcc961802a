package handlers

import (
	"cmp"
	"net"
	"strconv"

	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/responses"
)

// containers tells of the debug ports of containers, and proposes to attach to the
// first at which something listens now.
func (l *look) containers() (steps []responses.NextStep) {
	if !l.h.Policy.Allows(l.data.Root) {
		return nil
	}
	for _, c := range l.h.Adapters.Projects().Containers(l.data.Root) {
		if !l.isWanted(c.Language) {
			continue
		}
		row := responses.Container{
			Service: c.Service, File: c.File, Language: c.Language, Address: net.JoinHostPort(cmp.Or(c.Host, "127.0.0.1"), strconv.Itoa(c.Port)), Listens: netstat.Accepts(c.Port),
		}
		l.data.Containers = append(l.data.Containers, row)
		if row.Listens && l.h.Policy.Attach("mode") == nil {
			call := l.withRoot(responses.NewCall("session_start", "port", c.Port, "language", c.Language).With("host", c.Host))
			steps = append(steps, call.Why("attach to the container "+c.Service+", which listens for debuggers now"))
		}
	}
	return steps
}
