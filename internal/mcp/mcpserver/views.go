package mcpserver

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/responses"
	"aidb-mcp/tools"
)

// MCP Apps, revision 2026-01-26: a client that declares the extension shows a page of ours
// beside a tool's result. To other clients nothing of this is told.
const (
	viewExtension = "io.modelcontextprotocol/ui"
	viewType      = "text/html;profile=mcp-app"
	// flatKey is where clients of before the extension was final look for the page.
	flatKey = "ui/resourceUri"
)

// Views are what clients draw results with.
type Views interface {
	// Page is the text of the page that draws whatever it is given.
	Page() (string, error)
	// Answer answers the page, which asks about a session of its own accord. The model is not
	// told of it.
	Answer(ctx context.Context, args json.RawMessage) responses.Reply
}

// viewTool is the tool by which the page asks.
const viewTool = "view"

// viewToolSchema is of its arguments: what is inside of a value, or where the page is.
const viewToolSchema = `{"type":"object","properties":{"session_id":{"type":"string"},"ref":{"type":"integer","minimum":1,"description":"of a shown value; none: where a person watches"}},"required":["session_id"]}`

// drawsViews says that a client shows pages.
func drawsViews(can *mcp.ClientCapabilities) bool {
	if can == nil {
		return false
	}
	settings, _ := can.Extensions[viewExtension].(map[string]any)
	types, _ := settings["mimeTypes"].([]any)
	return slices.Contains(types, any(viewType))
}

// Draws says whether the client shows pages.
func (c *caller) Draws() bool { return c.views && drawsViews(c.req.ClientCapabilities()) }

// viewMeta says which page draws the results of a tool.
func viewMeta(meta mcp.Meta, view string) mcp.Meta {
	with := mcp.Meta{}
	maps.Copy(with, meta)
	uri := tools.ViewScheme + view
	with["ui"] = struct {
		URI string `json:"resourceUri"`
	}{uri}
	with[flatKey] = uri
	return with
}

// addViews registers the pages and their tool.
func addViews(server *mcp.Server, v Views) {
	for _, view := range tools.Views() {
		server.AddResource(&mcp.Resource{URI: tools.ViewScheme + view, Name: view, MIMEType: viewType}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			text, err := v.Page()
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: r.Params.URI, MIMEType: viewType, Text: text,
				Meta: mcp.Meta{"ui": struct {
					Border bool `json:"prefersBorder"`
				}{true}},
			}}}, nil
		})
	}
	closed := false
	server.AddTool(&mcp.Tool{
		Name: viewTool, Title: "For views", Description: "What a view asks: the values inside of a value, or the address of the page for a person",
		InputSchema: json.RawMessage(viewToolSchema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed},
		Meta: mcp.Meta{"ui": struct {
			Visibility []string `json:"visibility"`
		}{[]string{"app"}}},
	}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return resultOf(v.Answer(ctx, r.Params.Arguments)), nil
	})
}

// viewMiddleware tells of views to clients that draw them, and to no others.
func viewMiddleware(list []*tools.Definition) mcp.Middleware {
	views := map[string]string{}
	for _, d := range list {
		views[d.Name] = d.View()
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch r := req.(type) {
			case *mcp.CallToolRequest:
				if r.Params.Name == viewTool && !drawsViews(r.ClientCapabilities()) {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `unknown tool "view": only views of clients that show them use it`}
				}
			case *mcp.ListToolsRequest:
				result, err := next(ctx, method, req)
				if told, ok := result.(*mcp.ListToolsResult); ok && err == nil {
					tellViews(told, views, drawsViews(r.ClientCapabilities()))
				}
				return result, err
			}
			return next(ctx, method, req)
		}
	}
}

// tellViews says in a list of tools what draws their results, if the client does that.
func tellViews(list *mcp.ListToolsResult, views map[string]string, draws bool) {
	if !draws {
		list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == viewTool })
		return
	}
	list.CacheScope = "private" // it is for clients like this one
	for i, t := range list.Tools {
		if view := views[t.Name]; view != "" {
			with := *t
			with.Meta = viewMeta(t.Meta, view)
			list.Tools[i] = &with
		}
	}
}

// isView says that a URI is that of a page.
func isView(uri string) bool {
	view, is := strings.CutPrefix(uri, tools.ViewScheme)
	return is && slices.Contains(tools.Views(), view)
}
