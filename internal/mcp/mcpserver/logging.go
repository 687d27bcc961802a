package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
)

// levels are those of the protocol, what matters least first.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// logs sends log messages: to a client that has set a level with
// logging/setLevel all that reach it, to one of the newer revisions, which have
// no such request, those that come while it waits for an answer to a request
// with a level.
type logs struct {
	notify Notify

	mu      sync.Mutex // guards the fields below
	set     int        // the level that was set; see silent
	waiting []int      // those of the requests that are being answered
}

// silent is more than any level.
var silent = len(levels)

func newLogs(notify Notify) *logs { return &logs{notify: notify, set: silent} }

// least is the least level that the client wants; mu is held.
func (l *logs) least() int { return slices.Min(append([]int{l.set}, l.waiting...)) }

// Wanted says whether the client wants messages.
func (l *logs) Wanted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.least() < silent
}

// Log sends a message if the client wants it.
func (l *logs) Log(level client.Level, logger string, data any) {
	l.mu.Lock() // until it is sent: it must not come after the answer that ends it
	defer l.mu.Unlock()
	if slices.Index(levels, string(level)) < l.least() {
		return
	}
	l.notify("notifications/message", struct {
		Level  client.Level `json:"level"`
		Logger string       `json:"logger"`
		Data   any          `json:"data"`
	}{level, logger, data})
}

// levelMiddleware notes which levels the client asks for.
func (l *logs) levelMiddleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "logging/setLevel" {
			return l.setLevel(ctx, method, req, next)
		}
		level := levelOf(req)
		if level == silent {
			return next(ctx, method, req)
		}
		l.mu.Lock()
		l.waiting = append(l.waiting, level)
		l.mu.Unlock()
		defer func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			i := slices.Index(l.waiting, level)
			l.waiting = slices.Delete(l.waiting, i, i+1)
		}()
		return next(ctx, method, req)
	}
}

func (l *logs) setLevel(ctx context.Context, method string, req mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	p, ok := req.GetParams().(*mcp.SetLoggingLevelParams) //nolint:staticcheck // the older revisions have it
	if !ok || p == nil {
		return next(ctx, method, req)
	}
	level := slices.Index(levels, string(p.Level))
	if level < 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("there is no level %q: give one of %s", shorten(string(p.Level)), strings.Join(levels, ", "))}
	}
	res, err := next(ctx, method, req)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.set = level
	}
	return res, err
}

// levelOf is the level that rides with a call, silent where none does.
func levelOf(req mcp.Request) int {
	call, ok := req.(*mcp.CallToolRequest)
	if !ok || call.Params == nil {
		return silent
	}
	asked, _ := call.Params.GetMeta()[mcp.MetaKeyLogLevel].(string) //nolint:staticcheck // deprecated is not gone
	if level := slices.Index(levels, asked); level >= 0 {
		return level
	}
	return silent
}
