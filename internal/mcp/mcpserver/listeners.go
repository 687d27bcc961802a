package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"aidb-mcp/internal/system/sleep"
)

// Bounds of what is told: between two rounds of notifications at least so much
// time passes, and one listener may follow so many resources.
const (
	betweenRounds    = 250 * time.Millisecond
	maxSubscriptions = 200
)

// listeners are those who are told when resources change: the client itself where
// there was a handshake, and each request to listen. Many of those can be open on
// one connection, for a gateway puts all stateless clients of a user on one; the
// SDK would let each replace the one before.
type listeners struct {
	resources Resources
	notify    func(method string, params any) bool  // false: the client does not keep up
	send      func(method string, params any) error // waits for the client

	mu      sync.Mutex // guards the fields below, and what each listener is told
	all     []*listener
	greeted bool // there was a handshake
}

// listener is one of them. Its id is that of the request to listen, nil without one.
type listener struct {
	id    json.RawMessage
	list  bool              // wants to know that there are other resources
	uris  map[string]string // as they were written; by that, the one way to write them
	stale map[string]bool   // of uris: what is to be told in the next round
	other bool              // there are other resources
}

// The notifications.
const (
	resourceUpdated = "notifications/resources/updated"
	listChanged     = "notifications/resources/list_changed"
	acknowledged    = "notifications/subscriptions/acknowledged"
)

// greet notes that the client has shaken hands.
func (l *listeners) greet() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.greeted = true
}

// startListChanges begins to tell a client with a handshake of changes of the list, for it
// has asked for that. Clients that never do have nothing to ask anew, and one of
// them (the Python SDK 1) breaks when a notification comes while it leaves.
func (l *listeners) startListChanges() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.greeted {
		l.handshakeListener().list = true
	}
}

// handshakeListener is the listener of a client with a handshake; mu is held.
func (l *listeners) handshakeListener() *listener {
	for _, x := range l.all {
		if x.id == nil {
			return x
		}
	}
	x := newListener(nil)
	l.all = append(l.all, x)
	return x
}

func newListener(id json.RawMessage) *listener {
	return &listener{id: id, uris: map[string]string{}, stale: map[string]bool{}}
}

// add lets a listener follow a resource; a nil one is the client's own.
func (l *listeners) add(x *listener, uri, canonical string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x == nil {
		x = l.handshakeListener()
	}
	if _, known := x.uris[uri]; !known && len(x.uris) >= maxSubscriptions {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "too many subscriptions: 200 resources can be followed"}
	}
	x.uris[uri] = canonical
	return nil
}

func (l *listeners) remove(uri string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	x := l.handshakeListener()
	delete(x.uris, uri)
	delete(x.stale, uri)
}

// listenID is the header in which the connection tells the id of a request to
// listen, which the SDK tells nobody.
const listenID = "Listen-Id"

const listenMethod = "subscriptions/listen"

// listen answers a request to listen: it stays open until the client cancels it or
// the server ends, and every notification bears its id.
func (l *listeners) listen(ctx context.Context, r *mcp.SubscriptionsListenRequest) (mcp.Result, error) {
	var id json.RawMessage
	if r.Extra != nil {
		id = json.RawMessage(r.Extra.Header.Get(listenID))
	}
	wants := r.Params.Notifications
	if wants == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "missing required 'notifications' field"}
	}
	x := newListener(id)
	x.list = wants.ResourcesListChanged
	for _, uri := range wants.ResourceSubscriptions {
		canonical, err := l.subject(uri, r.ProtocolVersion())
		if err == nil {
			err = l.add(x, uri, canonical)
		}
		if err != nil {
			return nil, err
		}
	}
	granted := mcp.NotificationSubscriptions{ResourcesListChanged: x.list, ResourceSubscriptions: slices.Clone(wants.ResourceSubscriptions)}
	meta := mcp.Meta{mcp.MetaKeySubscriptionID: id}

	if err := l.send(acknowledged, &mcp.SubscriptionsAcknowledgedParams{Notifications: granted, Meta: meta}); err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.all = append(l.all, x)
	l.mu.Unlock()
	defer l.forget(x)
	if x.list || len(x.uris) > 0 {
		<-ctx.Done()
	}
	return &mcp.SubscriptionsListenResult{Meta: meta}, nil
}

func (l *listeners) forget(x *listener) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = slices.DeleteFunc(l.all, func(y *listener) bool { return x == y })
}

// follow tells the listeners of changes until ctx ends. What changes often is told
// once a round; what a client does not take now it is told in a later one.
func (l *listeners) follow(ctx context.Context) {
	watch := l.resources.Watch()
	defer watch.End()
	for {
		waiting, give := ctx, context.CancelFunc(func() {})
		if l.owes() {
			waiting, give = context.WithTimeout(ctx, betweenRounds)
		}
		changed, list, _ := watch.Wait(waiting)
		give()
		if ctx.Err() != nil {
			return
		}
		l.note(changed, list)
		l.tell()
		if !sleep.For(ctx, betweenRounds) {
			return
		}
	}
}

// owes says that something is still to be told.
func (l *listeners) owes() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.all, func(x *listener) bool { return x.other || len(x.stale) > 0 })
}

// note notes what is to be told to whom.
func (l *listeners) note(changed []string, list bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.all {
		x.other = x.other || list && x.list
		for uri, canonical := range x.uris {
			if slices.Contains(changed, canonical) {
				x.stale[uri] = true
			}
		}
	}
}

// tell makes one round.
func (l *listeners) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.all {
		if x.other && l.notify(listChanged, x.params("")) {
			x.other = false
		}
		for uri := range x.stale {
			if l.notify(resourceUpdated, x.params(uri)) {
				delete(x.stale, uri)
			}
		}
	}
}

// params are those of a notification to the listener.
func (x *listener) params(uri string) any {
	p := struct {
		Meta map[string]json.RawMessage `json:"_meta,omitempty"`
		URI  string                     `json:"uri,omitempty"`
	}{URI: uri}
	if x.id != nil {
		p.Meta = map[string]json.RawMessage{mcp.MetaKeySubscriptionID: x.id}
	}
	return p
}
