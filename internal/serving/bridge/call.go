package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/system/sleep"
)

const listenMethod = "subscriptions/listen"

// call makes a call and returns its answer; false: nobody wants one.
func (b *bridge) call(ctx context.Context, f frame.Frame) (frame.Frame, bool) {
	if f.Method() == "ping" {
		return answer.Result(f, struct{}{}), true // whether we live; the remote has its own way to show it
	}
	if f.Method() == "initialize" {
		b.mu.Lock()
		b.session.initialize = f
		b.mu.Unlock()
	}
	if f.Method() == listenMethod {
		return b.listenStateless(ctx, f)
	}
	if away := b.absence(); away != nil {
		return b.local(f, away), true
	}
	if reply, lost := b.sessionsLost(f); lost {
		return reply, true
	}
	reply, err := b.exchange(ctx, f)
	if errors.Is(err, errNoSession) {
		// It does not know the session, so that nothing has begun.
		if err = b.renew(ctx); err == nil {
			if reply, lost := b.sessionsLost(f); lost {
				return reply, true
			}
			reply, err = b.exchange(ctx, f)
		}
	}
	if err == nil && b.learnHeaders(ctx, f, reply) {
		reply, err = b.exchange(ctx, f)
	}
	switch away, isAway := asAway(err); {
	case err == nil:
		b.cache.keep(f, reply)
		return reply, true
	case errors.Is(err, errCancelled), errors.Is(err, errEnd):
		return frame.Frame{}, false
	case errors.Is(err, errLate):
		return answer.Fault(f, fault.New(fault.WorkerTimeout, "the remote has not answered within %s", b.o.Call).
			WithHint("it may still be at work")), true
	case isAway && (away.unbegun || isOnlyQuestion(f)):
		return b.local(f, b.noteAbsence(away)), true
	case isOnlyQuestion(f):
		return b.local(f, b.noteAbsence(&awayError{why: err.Error()})), true
	case isAway:
		b.noteAbsence(away)
		return answer.Fault(f, b.interruptedAnswer(away.why)), true
	}
	return answer.Fault(f, b.interruptedAnswer(err.Error())), true
}

// interruptedAnswer is the answer to a call of which nobody knows how far it came.
func (b *bridge) interruptedAnswer(why string) *fault.Error {
	return fault.New(fault.BridgeDown, "the line to the remote server broke while the call was under way: %s", why).
		WithHint("the call may have been carried out: see what has changed before you make it again; session(list) shows which debug sessions are left")
}

// exchange makes a call once, and takes up its answer where the line breaks.
func (b *bridge) exchange(ctx context.Context, f frame.Frame) (frame.Frame, error) {
	m := b.headers(f)
	got, err := b.remote.post(ctx, f, m, b.say)
	if broken, ok := errors.AsType[*brokenError](err); ok {
		if broken.last == "" || m["Mcp-Session-Id"] == "" {
			return frame.Frame{}, errBroken
		}
		return b.resume(ctx, f, m, broken.last)
	}
	if err == nil && f.Method() == "initialize" && got.reply.Get("result") != nil {
		b.noteSession(got)
	}
	return got.reply, err
}

// noteSession notes a session that has begun.
func (b *bridge) noteSession(got response) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.session.id = got.session
	b.session.revision = ""
	if revision := got.reply.Text("result", "protocolVersion"); fits(revision) {
		b.session.revision = revision
	}
	b.session.ours = got.reply.Text("result", "serverInfo", "name") == "aidb"
}

// resume takes up the answer to a call after an event, on another connection. To
// find one has a limit; the answer then takes as long as it takes.
func (b *bridge) resume(ctx context.Context, f frame.Frame, m headers, last string) (frame.Frame, error) {
	for limit := time.Now().Add(b.o.Resume); ; {
		body, done, err := b.takeUp(ctx, m, last, time.Until(limit))
		if err != nil {
			return frame.Frame{}, err
		}
		found := time.Now()
		reply, err := b.remote.stream(ctx, body, f, b.say)
		done()
		broken, isBroken := errors.AsType[*brokenError](err)
		if !isBroken {
			return reply, err
		}
		if broken.last != "" && broken.last != last || time.Since(found) > b.o.Resume {
			limit = time.Now().Add(b.o.Resume) // it was there, so that it may take as long again
		}
		last = cmp.Or(broken.last, last)
		if !sleep.For(ctx, b.o.MinBackoff/4) {
			return frame.Frame{}, context.Cause(ctx)
		}
	}
}

// takeUp opens the stream that goes on after an event; done lets go of it.
func (b *bridge) takeUp(ctx context.Context, m headers, last string, limit time.Duration) (body io.ReadCloser, done func(), err error) {
	limited, cancel := context.WithCancelCause(ctx)
	done = func() { cancel(nil) }
	late := time.AfterFunc(limit, func() { cancel(errBroken) })
	for pause := b.o.MinBackoff / 4; ; pause = min(2*pause, time.Second) {
		body, status, err := b.remote.open(limited, m, last)
		switch {
		case body != nil && late.Stop():
			return body, done, nil
		case limited.Err() != nil:
		case err == nil && status == http.StatusNotFound:
			cancel(fmt.Errorf("%w, and it has been restarted meanwhile", errBroken))
		case err == nil && status >= 400 && status < 500:
			cancel(errBroken)
		}
		if !sleep.For(limited, pause) {
			late.Stop()
			return nil, done, context.Cause(limited)
		}
	}
}

// headers are the headers of a message.
func (b *bridge) headers(f frame.Frame) headers {
	if f.Kind() != 0 && answer.Modern(f) {
		m := headers{"Mcp-Protocol-Version": answer.Revision(f), "Mcp-Method": f.Method()}
		for _, member := range []string{"name", "uri"} {
			if name := f.Text("params", member); name != "" && m["Mcp-Name"] == "" {
				m["Mcp-Name"] = encode(name)
			}
		}
		b.cache.parameters(f, m)
		return m
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	m := headers{}
	if b.session.id != "" && f.Method() != "initialize" {
		m["Mcp-Session-Id"] = b.session.id
		if b.session.revision != "" {
			m["Mcp-Protocol-Version"] = b.session.revision
		}
	}
	return m
}

// sessionsLost is the one honest answer after a restart of the remote: the debug
// sessions that the client has in mind are gone. Starting one needs none.
func (b *bridge) sessionsLost(f frame.Frame) (frame.Frame, bool) {
	if f.Method() != "tools/call" {
		return frame.Frame{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.session.lost {
		return frame.Frame{}, false
	}
	b.session.lost = false
	if name := f.Text("params", "name"); name == "session_start" || name == "init" {
		return frame.Frame{}, false
	}
	return answer.Fault(f, fault.New(fault.BridgeDown, "the remote server has been restarted: the debug sessions are lost, with the programs that they had started; this call was not made").
		WithHint("start the session again with session_start")), true
}
