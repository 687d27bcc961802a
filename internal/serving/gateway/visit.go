package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/handle"
	"aidb-mcp/internal/serving/pool"
)

// A request that is about a debug session goes to the worker that holds it, whichever
// client has started that: the client then visits there. Visitors speak the newest
// revision, in which each request says by itself what its client is, so that a worker
// that was greeted in any other way understands them.

// Where a request names the session that it is about.
var (
	sessionPath = []string{"params", "arguments", "session_id"}
	uriPath     = []string{"params", "uri"}
)

// handleOf is the handle that a request names, or what stands in its place; empty for none.
func handleOf(f frame.Frame) string {
	switch f.Method() {
	case "tools/call", "prompts/get":
		return f.Text(sessionPath...)
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return handleIn(f.Text(uriPath...))
	}
	return ""
}

// handleIn is the handle in the address of a resource, of which it is a step of its own.
func handleIn(uri string) string {
	for step := range strings.SplitSeq(uri, "/") {
		text, err := url.PathUnescape(step)
		if err != nil {
			continue
		}
		if _, err := handle.Parse(text); !errors.Is(err, handle.ErrNone) {
			return text
		}
	}
	return ""
}

// destination is where a request is to be made: nil for the client's own worker.
func destination(own pool.Slot, f frame.Frame) (pool.Visited, *fault.Error) {
	id := handleOf(f)
	if id == "" {
		return nil, nil
	}
	to, refused := own.Find(id)
	if to != nil && strings.HasSuffix(f.Method(), "subscribe") {
		return nil, fault.New(fault.NotSupported, "session %s belongs to another client of yours: only the one that has started it is told of changes", id).
			WithHint("read the resource when you want to know")
	}
	return to, refused
}

// visitor is what a worker that was greeted by somebody else must be told of a client.
type visitor struct {
	info json.RawMessage // its own words, nil where each request has them
}

// visit makes a request at the worker of another client. Its answer and its progress come
// to receive, in the client's own words. Cancel drops it.
func (v visitor) visit(ctx context.Context, to pool.Visited, f frame.Frame, receive func(frame.Frame)) (cancel func(), err *fault.Error) {
	asked := f
	if !answer.Modern(f) {
		asked = v.introduce(f)
	}
	id, token := bytes.Clone(f.ID()), bytes.Clone(f.Get(progressPath...)) // and not the rest of the message
	modern := answer.Modern(f)
	return to.AskAs(ctx, asked, func(reply frame.Frame) {
		switch {
		case reply.Kind() == frame.Answer && modern:
			receive(complete(reply).With(id, "id"))
		case reply.Kind() == frame.Answer:
			receive(reply.With(id, "id"))
		case token != nil:
			receive(reply.With(token, progressedPath...))
		}
	})
}

// visitRevision is the one that visitors speak.
const visitRevision = firstStateless

// introduce has a request say who makes it. What only a client with a connection of its
// own can be asked, this one cannot.
func (v visitor) introduce(f frame.Frame) frame.Frame {
	meta := map[string]json.RawMessage{}
	_ = json.Unmarshal(f.Get("params", "_meta"), &meta) // there may be none
	if meta == nil {
		meta = map[string]json.RawMessage{}
	}
	meta["io.modelcontextprotocol/protocolVersion"] = json.RawMessage(`"` + visitRevision + `"`)
	meta["io.modelcontextprotocol/clientCapabilities"] = json.RawMessage(`{}`)
	if isObject(v.info) {
		meta["io.modelcontextprotocol/clientInfo"] = v.info
	}
	return f.Put(meta, "params", "_meta")
}

// complete marks the result of a worker that was greeted in a revision without the mark.
func complete(reply frame.Frame) frame.Frame {
	const mark = "resultType"
	if !isObject(reply.Get("result")) || reply.Get("result", mark) != nil {
		return reply
	}
	kind := "complete"
	if reply.Get("result", "inputRequests") != nil {
		kind = "input_required"
	}
	return reply.Put(kind, "result", mark)
}

// maxAgain is how long a request may be that is kept in case it must be made elsewhere, in bytes.
const maxAgain = 64 << 10

// homeless is a request that names no session by a handle, whose client's own worker has
// none while the principal has some elsewhere: the worker is told of those. False: it is
// not one.
func homeless(own pool.Slot, f frame.Frame) (frame.Frame, bool) {
	if f.Method() != "tools/call" && f.Method() != "completion/complete" || len(f.Bytes()) > maxAgain {
		return f, false
	}
	others := own.Others()
	if len(others) == 0 {
		return f, false
	}
	sessions := []handle.Session{}
	for _, e := range others[:min(len(others), mostTold)] {
		sessions = append(sessions, e.Session)
	}
	meta := map[string]json.RawMessage{}
	if raw := f.Get("params", "_meta"); isObject(raw) && json.Unmarshal(raw, &meta) != nil {
		return f, false
	}
	list, err := json.Marshal(sessions)
	if err != nil {
		return f, false
	}
	meta[client.ElsewhereKey] = list
	return f.Put(meta, "params", "_meta"), true
}

// mostTold is of how many sessions elsewhere a worker is told.
const mostTold = 20

// The codes with which a worker answers what needs a session, when none is named and it
// has none, and when it does not know the one that is named. Nothing was done then.
const (
	noSession     = "AIDB_" + string(fault.SessionNotStarted)
	noSuchSession = "AIDB_" + string(fault.SessionNotFound)
)

// move is where a request is made anew whose own worker has no session: where the only
// one lives, if there is one. Where there are several, the error lists them. All nil: the
// answer stands.
func move(own pool.Slot, f, reply frame.Frame) (to pool.Visited, again frame.Frame, err *fault.Error) {
	code := pool.CodeOf(reply)
	if code != noSession && code != noSuchSession {
		return nil, f, nil
	}
	others := own.Others()
	switch {
	case len(others) == 0:
		return nil, f, nil
	case code == noSuchSession:
		return nil, f, fault.New(fault.SessionNotFound, "there is no session %q", shorten(f.Text(sessionPath...))).
			WithField("session_id").WithHint("yours are %s", pool.Listed(others))
	case len(others) == 1:
		id := others[0].ID
		if to, err = own.Find(id); err != nil || to == nil {
			return nil, f, err
		}
		return to, nameSession(f, id), nil
	}
	return nil, f, fault.New(fault.MissingParam, "which session? You have %d: %s", len(others), pool.Listed(others)).
		WithField("session_id").WithHint("give session_id")
}

// moved makes a request anew where move says, if it is one that was kept for that. True: another
// answer comes. False: this one counts, which may be that there are several sessions.
func moved(own pool.Slot, kept, reply frame.Frame, visit func(to pool.Visited, again frame.Frame)) (frame.Frame, bool) {
	if kept.Kind() == 0 {
		return reply, false
	}
	to, again, err := move(own, kept, reply)
	switch {
	case err != nil:
		return answer.Fault(again, err), false
	case to == nil:
		return reply, false
	}
	go visit(to, again)
	return reply, true
}

// nameSession has a call say which session it means.
func nameSession(f frame.Frame, id string) frame.Frame {
	arguments := map[string]json.RawMessage{}
	if raw := f.Get("params", "arguments"); isObject(raw) && json.Unmarshal(raw, &arguments) != nil {
		return f
	}
	text, err := json.Marshal(id)
	if err != nil {
		return f
	}
	arguments["session_id"] = text
	return f.Put(arguments, "params", "arguments")
}
