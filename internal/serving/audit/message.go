package audit

import (
	"cmp"
	"encoding/json"

	"aidb-mcp/internal/mcp/frame"
)

// acts are the methods that are acts: those that do something, or show what a program holds. What a
// method is called says where its name and its arguments stand.
var acts = map[string]struct{ name, arguments string }{
	"initialize":            {"", ""},
	"tools/call":            {"name", "arguments"},
	"prompts/get":           {"name", "arguments"},
	"resources/read":        {"uri", ""},
	"resources/subscribe":   {"uri", ""},
	"resources/unsubscribe": {"uri", ""},
}

// ActOf is the act that a request asks for. Info is what its client is, for requests that do not say so
// themselves. False: it is none.
func ActOf(f frame.Frame, info json.RawMessage) (a Act, is bool) {
	where, is := acts[f.Method()]
	if !is {
		return a, false
	}
	a = Act{Client: clientName(f, info), Method: f.Method()}
	if where.name != "" {
		a.Name = f.Text("params", where.name)
	}
	if where.arguments != "" {
		a.Arguments = f.Get("params", where.arguments)
	}
	return a, true
}

// clientName is what a client calls itself.
func clientName(f frame.Frame, info json.RawMessage) string {
	var client struct{ Name string }
	_ = json.Unmarshal(info, &client) // it may be none
	return cmp.Or(f.Text("params", "_meta", "io.modelcontextprotocol/clientInfo", "name"), f.Text("params", "clientInfo", "name"), client.Name)
}
