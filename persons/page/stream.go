package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"aidb-mcp/internal/hub"
	"aidb-mcp/persons"
)

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).

// aliveEvery is how often a quiet stream shows that it is alive; a write that takes longer
// than writeWithin is of a browser that does not read.
const (
	aliveEvery  = 15 * time.Second
	writeWithin = 20 * time.Second
)

// stream writes events to one browser. It belongs to the goroutine of its request.
type stream struct {
	w   http.ResponseWriter
	out *http.ResponseController
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "text/event-stream")
	s := &stream{w, http.NewResponseController(w)}
	_ = s.out.SetReadDeadline(time.Time{}) // it lasts as long as the page is open
	return s
}

// send writes one event; id is where the browser goes on after a cut, 0 for none.
func (s *stream) send(name string, id int64, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding an event: %w", err)
	}
	_ = s.out.SetWriteDeadline(time.Now().Add(writeWithin))
	if id > 0 {
		_, err = fmt.Fprintf(s.w, "id: %d\nevent: %s\ndata: %s\n\n", id, name, data)
	} else {
		_, err = fmt.Fprintf(s.w, "event: %s\ndata: %s\n\n", name, data)
	}
	if err != nil {
		return err
	}
	return s.out.Flush()
}

// alive writes a comment, which the browser drops.
func (s *stream) alive() error {
	_ = s.out.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := s.w.Write([]byte(":\n\n")); err != nil {
		return err
	}
	return s.out.Flush()
}

// streamHead answers one who only asks for the head of a stream, which else would never end.
func (a *api) streamHead(w http.ResponseWriter, r *http.Request) {
	if id := r.PathValue("id"); id != "" {
		if _, err := a.desk.Sessions.Get(id); err != nil {
			fail(w, err)
			return
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
}

// listSessions streams the list of sessions, anew at each change.
func (a *api) listSessions(w http.ResponseWriter, r *http.Request) {
	s := newStream(w)
	changes := a.desk.Changes()
	defer changes.End()
	var shown []persons.Summary
	for r.Context().Err() == nil {
		if now := a.desk.List(); shown == nil || !slices.Equal(now, shown) {
			shown = now
			if s.send("sessions", 0, now) != nil {
				return
			}
		}
		ctx, cancel := context.WithTimeout(r.Context(), aliveEvery)
		_, _, isChanged := changes.Wait(ctx)
		cancel()
		if !isChanged && s.alive() != nil {
			return
		}
	}
}

// historyAtOnce is how many kept events a browser that comes late gets first.
const historyAtOnce = 2_000

// batch is a part of the stream. Lost is how many events before it are kept no more.
type batch struct {
	Events []hub.Event `json:"events"`
	Lost   int         `json:"lost,omitempty"`
}

// events streams one session: where it stands, what has happened, and what happens. Who
// reads it is present until the stream ends.
func (a *api) events(w http.ResponseWriter, r *http.Request) {
	seat := a.sit(w, r)
	if seat == nil {
		return
	}
	defer seat.Leave()
	observer, snapshot, err := seat.Resume(r.Context(), seenUpTo(r, seat.Session.Hub()))
	if err != nil {
		fail(w, err)
		return
	}
	defer observer.End()
	s := newStream(w)
	first := struct {
		hub.Snapshot
		You string `json:"you"`
	}{snapshot, seat.Person.Name}
	if s.send("snapshot", 0, first) != nil {
		return
	}
	for {
		events, lost, err := nextWithin(r.Context(), observer)
		switch {
		case r.Context().Err() != nil:
			return
		case err != nil:
			if s.alive() != nil {
				return
			}
			continue
		}
		var last int64
		if len(events) > 0 {
			last = events[len(events)-1].N
		}
		if s.send("events", last, batch{events, lost}) != nil {
			return
		}
	}
}

// seenUpTo is the last event that a browser has: it says so when it comes back.
func seenUpTo(r *http.Request, h *hub.Hub) int64 {
	var n int64
	if _, err := fmt.Sscan(r.Header.Get("Last-Event-ID"), &n); err == nil && n > 0 {
		return n
	}
	return max(h.Snapshot().N-historyAtOnce, 0)
}

func nextWithin(ctx context.Context, o *hub.Observer) ([]hub.Event, int, error) {
	ctx, cancel := context.WithTimeout(ctx, aliveEvery)
	defer cancel()
	return o.Next(ctx)
}
