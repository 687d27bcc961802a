package gateway

import (
	"context"
	"maps"
	"net/http"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
)

// checkParameters holds the headers that repeat arguments of a tool against
// them. Which there are the worker tells once, and again when its tools change.
func (s *shared) checkParameters(r *http.Request, f frame.Frame) *problem {
	if f.Method() != "tools/call" {
		return nil
	}
	s.mu.Lock()
	tools := s.tools
	s.mu.Unlock()
	if tools == nil {
		tools = s.askTools(r.Context(), f)
	}
	return tools.check(r, f)
}

// askTools asks the worker for its tools in the name of a client that calls one.
// Where it does not tell, there is nothing to check.
func (s *shared) askTools(ctx context.Context, f frame.Frame) *toolHeaders {
	const limit = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tools := &toolHeaders{}
	var cursor any
	const pages = 20
	for range pages {
		type params struct {
			Meta   any `json:"_meta"`
			Cursor any `json:"cursor,omitempty"`
		}
		meta := f.With([]byte("null"), progressPath...).Get("params", "_meta")
		to, drop := s.ask(ctx, answer.Request("tools", "tools/list", params{meta, cursor}))
		reply, ok := firstAnswer(ctx, to)
		drop()
		if !ok || reply.Get("result") == nil {
			return tools
		}
		tools = tools.and(readToolHeaders(reply.Get("result", "tools")))
		next := reply.Text("result", "nextCursor")
		if next == "" {
			break
		}
		cursor = next
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = tools
	return tools
}

// and joins what two pages tell.
func (h *toolHeaders) and(more *toolHeaders) *toolHeaders {
	maps.Copy(more.of, h.of)
	return more
}
