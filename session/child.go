package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/jsonwords"
	"aidb-mcp/session/lifecycle"
)

// onRequest answers a request of the adapter's to us.
func (l *run) onRequest(_ context.Context, command string, arguments json.RawMessage) (any, error) {
	switch command {
	case "runInTerminal":
		return l.runInTerminal(arguments)
	case "startDebugging":
		var body struct {
			Request       string          `json:"request"`
			Configuration json.RawMessage `json:"configuration"`
		}
		if err := json.Unmarshal(arguments, &body); err != nil {
			return nil, fmt.Errorf("reading the request: %s", jsonwords.Why(err))
		}
		return nil, l.adopt(body.Request, body.Configuration)
	}
	l.s.log.Debug("the adapter asks for something unknown", "command", command)
	return nil, errors.New("not supported")
}

// adopt begins to connect a child session. The adapter waits only for the word
// that it is coming.
func (l *run) adopt(request string, configuration json.RawMessage) error {
	if l.plan().Child == nil {
		return errors.New("child sessions are not supported here")
	}
	// It owns the connection that it makes, and ends with the handshake, its limit, or the run.
	l.spawn("connecting a child session", func() {
		if err := l.connectChild(request, configuration); err != nil && l.ctx.Err() == nil {
			l.s.log.Warn("a child session could not be connected", "error", err)
			l.missPart(err)
			l.failPendingStart(err)
		}
	})
	return nil
}

// missPart has the next reply tell that a part of the program is not debugged: by choice, or because it may
// have ended before.
func (l *run) missPart(err error) {
	text := "a part of the program could not be debugged: " + tidyText(jsonwords.Why(err), 500)
	if fault.Is(err, fault.NotSupported) {
		l.notices.warn(text)
		return
	}
	l.notices.miss(text)
}

// failPendingStart ends a start that waited for the child that has failed.
func (l *run) failPendingStart(err error) {
	select {
	case l.adopted <- err:
	default:
	}
}

// connectChild is the handshake of a child session. The first child of a broker
// is the program that the start waits for.
func (l *run) connectChild(request string, configuration json.RawMessage) error {
	ctx, cancel := context.WithTimeout(l.ctx, l.s.limits.AdapterStart)
	defer cancel()
	child, err := l.plan().Child(ctx, request, configuration)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	k := l.newConnection(child.Peer, child.Name, child.Request, child.Arguments)
	k.pid.Store(int64(child.PID))
	if !k.begin() {
		child.Peer.Kill()
		return errStopped
	}
	// It owns nothing, and ends with the connection.
	l.spawn("following a child session", func() { l.watchChild(k) })
	return k.handshake(ctx)
}

// watchChild follows the end of a child's connection.
func (l *run) watchChild(k *connection) {
	<-k.conn.Done()
	k.onChildEnded()
}

// onChildEnded is called when a child session has ended: the rest of the program goes
// on.
func (k *connection) onChildEnded() {
	if !k.markEnded() {
		return
	}
	// It owns what is left of the connection, and ends when that is closed, soon after its limit.
	k.run.spawn("parting from a child session", k.detach)
	defer k.run.onLauncherExit()
	k.run.connections.disown(k)
	k.run.s.breakpoints.Unlink(k.number)
	k.run.change(func(m *lifecycle.Machine) { m.Lose(k.number) })
}

// detach closes a child session whose program has ended.
func (k *connection) detach() {
	ctx, cancel := context.WithTimeout(k.run.ctx, disconnectLimit)
	defer cancel()
	k.run.logDisconnect(k.Call(ctx, "disconnect", disconnectArguments{}, nil))
	_ = k.conn.Close()
	k.peer.Kill()
}
