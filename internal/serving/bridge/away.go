package bridge

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"aidb-mcp/internal/mcp/answer"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/system/sleep"
)

// absence is a time in which the remote cannot be used. The bridge looks for it
// by itself.
type absence struct {
	since time.Time
	back  chan struct{} // closed when it is over

	mu        sync.Mutex // guards the fields below
	why, hint string
	next      time.Time // of the next try
}

// absence is the one of now, nil if the remote is there.
func (b *bridge) absence() *absence {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.away
}

// noteAbsence notes that the remote cannot be used, and begins to look for it.
func (b *bridge) noteAbsence(e *awayError) *absence {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away == nil {
		b.away = &absence{since: time.Now(), back: make(chan struct{})}
		b.o.Log.Warn("the remote is away", "url", b.o.URL, "why", e.why)
		go b.find(b.away)
	}
	b.away.note(e)
	return b.away
}

func (a *absence) note(e *awayError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.why, a.hint = e.why, e.hint
}

// find tries until the remote is there again, ever more rarely.
func (b *bridge) find(a *absence) {
	for pause := b.o.MinBackoff; ; pause = min(2*pause, b.o.MaxBackoff) {
		wait := pause/2 + rand.N(pause) // many bridges have lost it in one moment
		a.mu.Lock()
		a.next = time.Now().Add(wait)
		a.mu.Unlock()
		if !sleep.For(b.living, wait) {
			return
		}
		ctx, cancel := context.WithTimeout(b.living, b.o.Resume)
		err := b.probe(ctx)
		cancel()
		if err == nil {
			break
		}
		if b.living.Err() != nil {
			return
		}
		if away, ok := asAway(err); ok {
			a.note(away)
		} else {
			a.note(&awayError{why: err.Error()})
		}
	}
	b.mu.Lock()
	b.away = nil
	b.mu.Unlock()
	close(a.back)
	b.o.Log.Info("the remote is back", "url", b.o.URL, "after", time.Since(a.since).Round(time.Millisecond))
	b.announceLists()
}

// probe asks the remote something that changes nothing; where it has lost the
// session, or never had one, a new one is begun.
func (b *bridge) probe(ctx context.Context) error {
	b.mu.Lock()
	id, hello, meta := b.session.id, b.session.initialize, b.meta
	b.mu.Unlock()
	switch {
	case hello.Method() != "" && id == "":
		return b.renew(ctx)
	case hello.Method() != "":
		err := b.ping(ctx)
		if errors.Is(err, errNoSession) {
			return b.renew(ctx)
		}
		return err
	case meta != nil:
		discover := answer.Request("aidb-bridge-discover", "server/discover", struct {
			Meta any `json:"_meta"`
		}{meta})
		_, err := b.remote.post(ctx, discover, b.headers(discover), nil)
		return err
	}
	return nil // nothing has been asked yet
}

// ping asks the remote whether it knows the session.
func (b *bridge) ping(ctx context.Context) error {
	ping := answer.Request("aidb-bridge-ping", "ping", nil)
	_, err := b.remote.post(ctx, ping, b.headers(ping), nil)
	return err
}

// renew begins a new session in the place of one that the remote has lost, with
// the client's own handshake. Several calls may find out at once: one does it.
func (b *bridge) renew(ctx context.Context) error {
	b.renewing.Lock()
	defer b.renewing.Unlock()
	b.mu.Lock()
	before, hello, ready := b.session.id, b.session.initialize, b.session.ready
	b.mu.Unlock()
	if hello.Method() == "" {
		return errNoSession
	}
	if before != "" {
		if b.ping(ctx) == nil {
			return nil // another has done it
		}
	}
	got, err := b.remote.post(ctx, hello, b.headers(hello), nil)
	if err != nil {
		return err
	}
	if got.reply.Get("result") == nil {
		return &awayError{why: "it refuses a new session: " + got.reply.Text("error", "message"), unbegun: true}
	}
	b.noteSession(got)
	b.mu.Lock()
	b.session.lost = before != "" && b.session.ours
	b.mu.Unlock()
	if ready.Method() != "" {
		if _, err := b.remote.post(ctx, ready, b.headers(ready), nil); err != nil {
			return err
		}
	}
	b.change()
	if before != "" && b.absence() == nil { // else it is said when that is over
		b.announceLists()
	}
	return nil
}

// change lets who listens listen to the session of now.
func (b *bridge) change() {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.session.changed)
	b.session.changed = make(chan struct{})
}

// announceLists has the client ask anew for what the remote has: it may be another.
func (b *bridge) announceLists() {
	b.mu.Lock()
	greeted := b.session.ready.Method() != ""
	b.mu.Unlock()
	if !greeted {
		return // it has no session, or asks for itself
	}
	for _, what := range []string{"tools", "resources", "prompts"} {
		if b.cache.has(what) {
			b.say(answer.Notification("notifications/"+what+"/list_changed", nil))
		}
	}
}

// listen passes on what the remote says without being asked.
func (b *bridge) listen(ctx context.Context) {
	last := ""
	for pause := b.o.MinBackoff; ; {
		b.mu.Lock()
		changed := b.session.changed
		listening := b.session.id != "" && b.session.ready.Method() != "" && b.away == nil
		var back chan struct{}
		if b.away != nil {
			back = b.away.back
		}
		b.mu.Unlock()
		if !listening {
			select {
			case <-changed:
				last = ""
			case <-back:
			case <-ctx.Done():
				return
			}
			continue
		}
		m := b.headers(frame.Frame{})
		here, cancel := context.WithCancel(ctx)
		go func() {
			select {
			case <-changed:
				cancel()
			case <-here.Done():
			}
		}()
		body, status, err := b.remote.open(here, m, last)
		if body != nil {
			pause = b.o.MinBackoff
			last = b.pour(body, last)
		}
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err == nil && body == nil && status == 405, status == 404: // it says nothing unasked, or knows no session: the next call sees to that
			select {
			case <-changed:
				last = ""
			case <-ctx.Done():
				return
			}
			continue
		case status == 400:
			last = ""
		}
		if !sleep.For(ctx, pause) {
			return
		}
		pause = min(2*pause, b.o.MaxBackoff)
	}
}

// pour passes on a stream that is no call's, and returns its newest event.
func (b *bridge) pour(body io.ReadCloser, last string) string {
	e := newEvents(body, b.o.MaxMessage, b.o.Silence)
	defer e.close()
	for {
		data, err := e.next()
		if e.last != "" {
			last = e.last
		}
		if err != nil {
			return last
		}
		if f, err := frame.Parse(data); err == nil && f.Kind() != frame.Answer { // no call is answered here
			b.say(f)
		}
	}
}

// listenStateless keeps a client's subscription alive: it has no answer until
// the client ends it, and is made again when the line breaks.
func (b *bridge) listenStateless(ctx context.Context, f frame.Frame) (frame.Frame, bool) {
	for pause := b.o.MinBackoff; ; pause = min(2*pause, b.o.MaxBackoff) {
		if away := b.absence(); away != nil {
			select {
			case <-away.back:
				pause = b.o.MinBackoff
			case <-ctx.Done():
				return frame.Frame{}, false
			}
		}
		got, err := b.remote.post(ctx, f, b.headers(f), b.say)
		if err == nil {
			return got.reply, true
		}
		if away, isAway := asAway(err); isAway {
			b.noteAbsence(away)
			continue
		}
		if ctx.Err() != nil || !sleep.For(ctx, pause) {
			return frame.Frame{}, false
		}
	}
}
