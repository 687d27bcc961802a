package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/http"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/pool"
)

type addressKey struct{}

// withAddress has a request's context know where it comes from.
func withAddress(r *http.Request) *http.Request {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr // of a socket
	}
	return r.WithContext(context.WithValue(r.Context(), addressKey{}, host))
}

// beginAct notes a request in the audit log. Info is what its client is, for those that do
// not say so themselves. An act that cannot be noted is refused. Done is nil where nothing
// is noted.
func beginAct(ctx context.Context, log *audit.Log, principal string, info json.RawMessage, f frame.Frame) (done func(outcome string), refused *fault.Error) {
	a, is := audit.ActOf(f, info)
	if !is || log == nil {
		return nil, nil
	}
	a.Principal, a.Session = principal, handleOf(f)
	a.From, _ = ctx.Value(addressKey{}).(string)
	done, err := log.Begin(a)
	if err != nil {
		return nil, fault.New(fault.WorkerLimit, "the call is not made, because it cannot be recorded: %w", err).
			WithHint("tell whoever runs this server")
	}
	return done, nil
}

// endAct notes what came of an act.
func endAct(done func(outcome string), reply frame.Frame) {
	if done != nil {
		done(cmp.Or(pool.CodeOf(reply), "ok"))
	}
}

// dropAct notes that nobody waits for an act any more.
func dropAct(done func(outcome string)) {
	if done != nil {
		done("cancelled")
	}
}
