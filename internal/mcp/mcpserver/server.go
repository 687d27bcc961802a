// Package mcpserver speaks MCP over a pair of streams: framing, protocol
// versions, and an orderly end. It is the only importer of the MCP SDK and
// closes the SDK's gaps: a broken line does not end the session, every request
// that was read is answered before the end, a panic costs one request, and
// numbers of 64 bits pass unharmed.
//
// It knows nothing about debugging: calls go to a Caller as they came.
package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/project/source"
	"aidb-mcp/internal/telemetry"
	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// The causes with which calls in flight are cancelled.
var (
	ErrClientGone = errors.New("the client closed the connection")
	ErrShutdown   = errors.New("the server is shutting down")
)

// Caller answers tool calls. Calls come at the same time, from many goroutines.
type Caller interface {
	// Call must return soon after ctx ends, and not speak to the client after that.
	Call(ctx context.Context, tool string, args json.RawMessage, c client.Client) responses.Reply
}

// Notify sends a notification; params marshal to a JSON object. A client that
// does not keep up is not told.
type Notify func(method string, params any)

// Options describe a server. Zero durations mean the defaults.
type Options struct {
	Version string
	Tools   []*tools.Definition
	Calls   Caller
	Log     *slog.Logger
	Notice  string // about this server, told with its instructions; may be empty

	Resources Resources // nil: there is nothing to read
	Prompts   Prompts   // nil: there are none
	Views     Views     // nil: results are not drawn

	// Follow, if there is one, runs beside the calls until its context ends and
	// may notify who has started us of what MCP has no word for.
	Follow func(ctx context.Context, notify Notify)

	// Journal, if there is one, runs beside the calls until its context ends and
	// logs what happens, for clients that want to know.
	Journal func(ctx context.Context, log client.Log)

	// Traces gets a span of each request; nil: there are none.
	Traces *telemetry.Telemetry

	// Peers says that we are the worker of a gateway that has other machines, which we may ask to
	// do a part of a call.
	Peers bool

	// Extend is for the conformance tests, which need what the product has not: it
	// may change the SDK's options, and what it returns adds to the server.
	Extend func(*mcp.ServerOptions) func(*mcp.Server)

	// Quiet is how long after the end of input the server waits for the next
	// answer of a call in flight before it gives the rest up.
	Quiet time.Duration
	// Linger bounds that wait as a whole.
	Linger time.Duration
	// Grace is how long cancelled calls have to answer.
	Grace time.Duration
	// WriteLimit is how long a client may leave everything unread before it is
	// taken for gone.
	WriteLimit time.Duration
	// MaxLine is the longest message that is read, in bytes.
	MaxLine int
}

// The defaults of Options. A shutdown has a second in all, so grace is shorter.
const (
	defaultQuiet      = 300 * time.Millisecond
	defaultLinger     = time.Second
	defaultGrace      = 500 * time.Millisecond
	defaultWriteLimit = 30 * time.Second
	defaultMaxLine    = 16 << 20
)

func (o *Options) fill() {
	o.Quiet = cmp.Or(o.Quiet, defaultQuiet)
	o.Linger = cmp.Or(o.Linger, defaultLinger)
	o.Grace = cmp.Or(o.Grace, defaultGrace)
	o.WriteLimit = cmp.Or(o.WriteLimit, defaultWriteLimit)
	o.MaxLine = cmp.Or(o.MaxLine, defaultMaxLine)
}

// Serve speaks to one client until the input ends, the output breaks, or ctx
// ends. At the end of input what answers at once is still answered; calls that
// wait are cancelled and not answered, for a client that has closed its end
// (the MCP's way to end a server) waits for nothing. When ctx ends they are, and
// have Grace to say so. It never closes in and out. The error is nil in all
// three cases.
//
// Goroutines: one reads in (it stays blocked there after Serve returns, if in
// does), the SDK runs one for its loop and one for each request.
func Serve(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	o.fill()
	calls, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(ErrShutdown)

	conn := newConn(in, out, o, cancel)
	logs := newLogs(conn.notify)
	server := newServer(calls, o, conn, logs)
	session, err := server.Connect(context.WithoutCancel(ctx), transport{conn}, nil)
	if err != nil {
		return fmt.Errorf("starting the MCP session: %w", err)
	}
	if o.Follow != nil {
		go o.Follow(calls, conn.notify)
	}
	if o.Journal != nil {
		go o.Journal(calls, logs)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- session.Wait()
		conn.Close()
	}()

	select {
	case <-conn.closed: // the client has gone
	case <-ctx.Done():
		cancel(ErrShutdown)
		conn.pending.drain(o.Grace)
		conn.Close()
	}
	select { // a handler that ignores its cancellation must not hold us
	case err = <-ended:
	case <-time.After(o.Grace / 2):
	}
	if err == nil {
		err = conn.out.Flush(o.Grace)
	}
	conn.out.Fail(io.ErrClosedPipe) // ends its goroutine
	if err != nil {
		o.Log.Warn("connection ended", "error", err)
	}
	return nil
}

// newServer registers what is offered. Every request is bound to calls: the SDK
// would let handlers run on when the connection is told to end.
func newServer(calls context.Context, o Options, c *conn, logs *logs) *mcp.Server {
	options := &mcp.ServerOptions{
		Instructions: instructions(o.Notice),
		Logger:       o.Log.WithGroup("mcp"),
		Capabilities: capabilities(o),
		SetCacheable: cacheable,
	}
	listeners := &listeners{resources: o.Resources, notify: c.offer, send: c.send}
	if o.Resources != nil {
		options.SubscribeHandler, options.UnsubscribeHandler = listeners.subscribe, listeners.unsubscribe
	}
	if o.Resources != nil || o.Prompts != nil {
		options.CompletionHandler = completionHandler(o)
	}
	extend := func(*mcp.Server) {}
	if o.Extend != nil {
		extend = o.Extend(options)
	}
	gateway := c
	if !o.Peers {
		gateway = nil
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "aidb", Title: "AI Debugger", Version: o.Version}, options)
	seal := newSeal()
	for _, d := range o.Tools {
		server.AddTool(toolOf(d), handlerOf(d.Name, o.Calls, seal, o.Views != nil, gateway))
	}
	within := []mcp.Middleware{recoverPanics(o.Log), cancelWith(calls), toolMiddleware(o)}
	if o.Views != nil {
		addViews(server, o.Views)
		within = append(within, viewMiddleware(o.Tools))
	}
	if o.Prompts != nil {
		addPrompts(server, o.Prompts)
		within = append(within, promptMiddleware(o.Prompts))
	}
	if o.Resources != nil {
		listeners.register(server)
		within = append(within, listeners.resourceMiddleware)
		go listeners.follow(calls)
	}
	server.AddReceivingMiddleware(within...)
	if o.Traces != nil {
		server.AddReceivingMiddleware(traceMiddleware(o.Traces))
	}
	if o.Journal != nil {
		server.AddReceivingMiddleware(logs.levelMiddleware)
	}
	extend(server)
	return server
}

// capabilities are only what is true: the tools never change, nor do the prompts.
func capabilities(o Options) *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	if o.Journal != nil {
		c.Logging = &mcp.LoggingCapabilities{} //nolint:staticcheck // deprecated is not gone
	}
	if o.Resources != nil {
		c.Resources = &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true}
	}
	if o.Prompts != nil {
		c.Prompts = &mcp.PromptCapabilities{}
	}
	return c
}

// instructions are those of all servers, and what is to be known of this one.
func instructions(notice string) string {
	if notice == "" {
		return tools.Instructions
	}
	return strings.TrimSpace(tools.Instructions) + "\n\n" + notice
}

// cacheable says that what a client may cache (the tools, what we are) is good
// as long as this server lives; an hour is long enough.
func cacheable(_ context.Context, r mcp.Request, c *mcp.Cacheable) {
	if _, changes := r.(*mcp.ReadResourceRequest); changes {
		return
	}
	c.TTLMs, c.CacheScope = int(time.Hour/time.Millisecond), "public"
}

func toolOf(d *tools.Definition) *mcp.Tool {
	destructive, open := d.Annotations.Destructive, d.Annotations.OpenWorld
	var meta mcp.Meta
	if d.First {
		meta = mcp.Meta{"anthropic/alwaysLoad": true} // Claude Code's word for it
	}
	return &mcp.Tool{
		Meta: meta,
		Name: d.Name, Title: d.Title, Description: d.Description,
		InputSchema: d.Schema, // as it is: going through a map would lose the order
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: d.Annotations.ReadOnly, IdempotentHint: d.Annotations.Idempotent,
			DestructiveHint: &destructive, OpenWorldHint: &open, // both default to true
		},
	}
}

// handlerOf passes a call's raw arguments on and sends the reply: as text, and, where
// there is JSON, as structured content for clients that read that. The
// low-level handler keeps the SDK from decoding numbers into float64. In place of
// a reply may stand what the client is asked first.
func handlerOf(name string, calls Caller, seal *seal, views bool, gateway *conn) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := seal.check(req.Params); err != nil {
			return nil, err
		}
		if isLate(req.Params.GetMeta(), time.Now()) {
			return lateResult(), nil
		}
		by := newClient(ctx, req)
		by.views, by.gateway = views, gateway
		reply := calls.Call(ctx, name, req.Params.Arguments, by)
		if reply.Asked {
			return &mcp.CallToolResult{
				Content:       []mcp.Content{}, // which else would be null on the wire
				InputRequests: by.questions(), RequestState: seal.sealState(req.Params),
			}, nil
		}
		result := resultOf(reply)
		if by.part != nil {
			result.Meta = mcp.Meta{client.PartKey: by.part}
		}
		return result, nil
	}
}

func resultOf(reply responses.Reply) *mcp.CallToolResult {
	result := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: string(reply.Read())}},
		IsError: reply.IsError,
	}
	if reply.JSON != nil {
		result.StructuredContent = json.RawMessage(reply.JSON)
	}
	return result
}

// recoverPanics keeps the server alive when a request makes it panic.
func recoverPanics(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					log.Error("request panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
					res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: " + method + " panicked"}
				}
			}()
			return next(ctx, method, req)
		}
	}
}

// cancelWith ends a request, with the same cause, when calls ends.
func cancelWith(calls context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			defer context.AfterFunc(calls, func() { cancel(context.Cause(calls)) })()
			return next(ctx, method, req)
		}
	}
}

// toolMiddleware refuses a call of a tool that is not there with what was perhaps meant.
func toolMiddleware(o Options) mcp.Middleware {
	var names []string
	for _, d := range o.Tools {
		names = append(names, d.Name)
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, ok := req.(*mcp.CallToolRequest)
			if !ok || slices.Contains(names, call.Params.Name) || o.Views != nil && call.Params.Name == viewTool {
				return next(ctx, method, req)
			}
			hint := "the tools are " + strings.Join(names, ", ")
			if meant := source.Closest(call.Params.Name, names, 1); len(meant) > 0 {
				hint = "did you mean " + meant[0] + "?"
			}
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q: %s", shorten(call.Params.Name), hint)}
		}
	}
}

// ListOf is a list of tools as a client reads it.
func ListOf(definitions []*tools.Definition) (json.RawMessage, error) {
	var list []*mcp.Tool
	for _, d := range definitions {
		list = append(list, toolOf(d))
	}
	return json.Marshal(list)
}
