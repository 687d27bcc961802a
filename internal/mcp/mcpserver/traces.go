package mcpserver

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/telemetry"
)

// traceMiddleware makes each request a span of the trace that its client names.
func traceMiddleware(to *telemetry.Telemetry) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if strings.HasPrefix(method, "notifications/") {
				return next(ctx, method, req)
			}
			ctx, span := to.Start(ctx, parentOf(req), telemetry.Server, spanName(method, req))
			defer span.End()
			span.Set("mcp.method.name", method)
			res, err := next(ctx, method, req)
			span.Fail(failureOf(res, err))
			return res, err
		}
	}
}

// parentOf is the trace that a request names.
func parentOf(req mcp.Request) telemetry.Parent {
	params, ok := req.GetParams().(interface{ GetMeta() map[string]any })
	if !ok {
		return telemetry.Parent{}
	}
	meta := params.GetMeta()
	parent, _ := meta["traceparent"].(string)
	state, _ := meta["tracestate"].(string)
	return telemetry.ParseParent(parent, state)
}

// spanName is a method, with the tool or the prompt that it is about.
func spanName(method string, req mcp.Request) string {
	const longest = 100
	name := ""
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		name = r.Params.Name
	case *mcp.GetPromptRequest:
		name = r.Params.Name
	}
	if name == "" {
		return method
	}
	return method + " " + name[:min(len(name), longest)]
}

// failureOf is one word for what has failed, empty for nothing.
func failureOf(res mcp.Result, err error) string {
	if wrong, ok := errors.AsType[*jsonrpc.Error](err); ok && wrong.Code == jsonrpc.CodeInvalidParams {
		return "invalid_params"
	}
	if err != nil {
		return "error"
	}
	called, ok := res.(*mcp.CallToolResult)
	if !ok || !called.IsError {
		return ""
	}
	if len(called.Content) > 0 {
		if text, ok := called.Content[0].(*mcp.TextContent); ok {
			if code, _, ok := strings.Cut(text.Text, ": "); ok && strings.HasPrefix(code, "AIDB_") && !strings.ContainsAny(code, " \n") {
				return code
			}
		}
	}
	return "tool_error"
}
