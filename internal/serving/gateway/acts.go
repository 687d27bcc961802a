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

// acts are the methods that the audit log has: those that do something, or show what a
// program holds. What a method is called says where its name and its arguments stand.
var acts = map[string]struct{ name, arguments string }{
	"initialize":            {"", ""},
	"tools/call":            {"name", "arguments"},
	"prompts/get":           {"name", "arguments"},
	"resources/read":        {"uri", ""},
	"resources/subscribe":   {"uri", ""},
	"resources/unsubscribe": {"uri", ""},
}

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
	where, is := acts[f.Method()]
	if !is || log == nil {
		return nil, nil
	}
	from, _ := ctx.Value(addressKey{}).(string)
	a := audit.Act{Principal: principal, From: from, Client: clientName(f, info), Method: f.Method(), Session: handleOf(f)}
	if where.name != "" {
		a.Name = f.Text("params", where.name)
	}
	if where.arguments != "" {
		a.Arguments = f.Get("params", where.arguments)
	}
	done, err := log.Begin(a)
	if err != nil {
		return nil, fault.New(fault.WorkerLimit, "the call is not made, because it cannot be recorded: %w", err).
			WithHint("tell whoever runs this server")
	}
	return done, nil
}

// clientName is what a client calls itself.
func clientName(f frame.Frame, info json.RawMessage) string {
	var told struct{ Name string }
	_ = json.Unmarshal(info, &told) // it may be none
	return cmp.Or(f.Text("params", "_meta", "io.modelcontextprotocol/clientInfo", "name"), f.Text("params", "clientInfo", "name"), told.Name)
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
