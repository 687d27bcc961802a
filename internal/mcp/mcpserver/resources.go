package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/resources"
)

// Resources are what can be read. The calls come at the same time, from many goroutines.
type Resources interface {
	List() []resources.Resource
	Templates() []resources.Resource
	// Read fails with resources.ErrUnknown where there is nothing behind the URI.
	Read(ctx context.Context, uri string) (resources.Content, error)
	// Canonical is the one way to write a URI, or resources.ErrUnknown.
	Canonical(uri string) (string, error)
	// Complete are values for a variable of a template.
	Complete(template, variable, typed string) []string
	Watch() *resources.Watch
}

// resourcePage is how many resources a page of the list has.
const resourcePage = 50

// The codes for a URI behind which there is nothing: revisions with a handshake
// have one of its own.
const (
	codeNoResource = -32002
	firstStateless = "2026-07-28"
)

// register tells the SDK of what is there always, and of the templates. It finds
// the handler, which has been read for already.
func (l *listeners) register(server *mcp.Server) {
	for _, x := range l.resources.List() {
		server.AddResource(describeResource(x), handOut)
	}
	for _, x := range l.resources.Templates() {
		server.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: x.URI, Name: x.Name, Title: x.Title, Description: x.Description, MIMEType: x.MIMEType,
		}, handOut)
	}
}

func describeResource(x resources.Resource) *mcp.Resource {
	return &mcp.Resource{URI: x.URI, Name: x.Name, Title: x.Title, Description: x.Description, MIMEType: x.MIMEType}
}

// resourceMiddleware answers the methods about resources. The list is not the SDK's own: what
// can be read changes with the sessions, and must be true at each moment.
func (l *listeners) resourceMiddleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListResourcesRequest:
			l.startListChanges() // before it is read: what changes from now on is told
			return l.list(r)
		case *mcp.ReadResourceRequest:
			if isView(r.Params.URI) {
				break // the SDK knows it
			}
			return l.read(ctx, method, r, next)
		case *mcp.SubscriptionsListenRequest:
			return l.listen(ctx, r)
		case *mcp.InitializedRequest:
			l.greet()
		}
		return next(ctx, method, req)
	}
}

// list is a page of all resources. They are listed as they are now; whoever pages
// while sessions come and go is told that the list has changed.
func (l *listeners) list(r *mcp.ListResourcesRequest) (mcp.Result, error) {
	start := 0
	if r.Params != nil && r.Params.Cursor != "" {
		var err error
		if start, err = fromCursor(r.Params.Cursor); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid cursor: take nextCursor of the page before, or none"}
		}
	}
	all := l.resources.List()
	start = min(start, len(all))
	end := min(start+resourcePage, len(all))
	res := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, Cacheable: noCache()}
	for _, x := range all[start:end] {
		res.Resources = append(res.Resources, describeResource(x))
	}
	if end < len(all) {
		res.NextCursor = toCursor(end)
	}
	return res, nil
}

// noCache marks what is good for the moment only, and for this client only.
func noCache() mcp.Cacheable { return mcp.Cacheable{TTLMs: 0, CacheScope: "private"} }

func toCursor(start int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(start)))
}

func fromCursor(cursor string) (int, error) {
	digits, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return 0, err
	}
	start, err := strconv.Atoi(string(digits))
	if err == nil && start < 0 {
		err = strconv.ErrRange
	}
	return start, err
}

// wasRead is the key of what was read in the context of a request.
type wasRead struct{}

// read reads, and lets the SDK put what was read into a result of the request's
// revision.
func (l *listeners) read(ctx context.Context, method string, r *mcp.ReadResourceRequest, next mcp.MethodHandler) (mcp.Result, error) {
	uri := r.Params.URI
	content, err := l.resources.Read(ctx, uri)
	if err == nil {
		params := *r.Params
		params.URI, err = l.resources.Canonical(uri)
		r.Params = &params
	}
	if err != nil {
		return nil, noResource(uri, r.ProtocolVersion(), err)
	}
	return next(context.WithValue(ctx, wasRead{}, &mcp.ResourceContents{URI: uri, MIMEType: content.MIMEType, Text: content.Text}), method, r)
}

// handOut is the handler of all resources.
func handOut(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	content, ok := ctx.Value(wasRead{}).(*mcp.ResourceContents)
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{content}, Cacheable: noCache()}, nil
}

// noResource is the protocol's error about a URI.
func noResource(uri, revision string, err error) error {
	data, _ := json.Marshal(struct {
		URI string `json:"uri"`
	}{shortenTo(uri, longestError)})
	e := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error(), Data: data}
	if errors.Is(err, resources.ErrUnknown) {
		e.Code = jsonrpc.CodeInvalidParams
		if revision < firstStateless {
			e.Code = codeNoResource
		}
	}
	return e
}

func shortenTo(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// subscribe begins to tell of a resource in the revisions with a handshake.
func (l *listeners) subscribe(_ context.Context, r *mcp.SubscribeRequest) error {
	uri, err := l.subject(r.Params.URI, r.ProtocolVersion())
	if err != nil {
		return err
	}
	return l.add(nil, r.Params.URI, uri)
}

func (l *listeners) unsubscribe(_ context.Context, r *mcp.UnsubscribeRequest) error {
	l.remove(r.Params.URI)
	return nil
}

// subject is what a subscription is about. A session need not be there yet. URIs
// that are none of ours may be subscribed to as well, as nothing is known of them:
// nothing will ever be told.
func (l *listeners) subject(uri, revision string) (string, error) {
	if !strings.HasPrefix(uri, "aidb:") && len(uri) <= longestError {
		return uri, nil
	}
	canonical, err := l.resources.Canonical(uri)
	if err != nil {
		return "", noResource(uri, revision, err)
	}
	return canonical, nil
}
