package hub

import (
	"context"

	"aidb-mcp/internal/fault"
)

// Observer reads the stream at its own pace. It belongs to one goroutine.
type Observer struct {
	hub  *Hub
	at   int64         // number of the last event that was read or lost
	wake chan struct{} // has room for one
}

// Observe begins to read: with a snapshot, and the events after it. It must be ended.
func (h *Hub) Observe() (*Observer, Snapshot, error) { return h.observe(-1) }

// ObserveAfter begins after an event that was read before, as who has lost its connection
// does. The snapshot is that of now.
func (h *Hub) ObserveAfter(n int64) (*Observer, Snapshot, error) { return h.observe(max(n, 0)) }

func (h *Hub) observe(after int64) (*Observer, Snapshot, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.observers) >= mostObservers {
		return nil, Snapshot{}, fault.New(fault.SessionLimit, "%d observers watch this session already", mostObservers).
			WithHint("close one of them")
	}
	h.flushAll()
	if after < 0 || after > h.last {
		after = h.last
	}
	o := &Observer{hub: h, at: after, wake: make(chan struct{}, 1)}
	h.observers[o] = true
	o.poke()
	return o, h.snapshot(), nil
}

// End stops reading.
func (o *Observer) End() {
	o.hub.mu.Lock()
	defer o.hub.mu.Unlock()
	delete(o.hub.observers, o)
}

// mostAtOnce is how many events one reading gives.
const mostAtOnce = 500

// Next waits for events. Lost is how many were forgotten before they were read: the
// snapshot of now tells where things stand.
func (o *Observer) Next(ctx context.Context) (events []Event, lost int, err error) {
	for {
		o.hub.mu.Lock()
		if events, lost = o.hub.since(o.at, mostAtOnce); len(events) > 0 || lost > 0 {
			o.at += int64(len(events) + lost)
		}
		o.hub.mu.Unlock()
		if len(events) > 0 || lost > 0 {
			return events, lost, nil
		}
		select {
		case <-o.wake:
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		}
	}
}

func (o *Observer) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}
