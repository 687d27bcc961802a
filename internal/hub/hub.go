package hub

import (
	"slices"
	"sync"
	"time"
)

// Bounds of one hub.
const (
	mostEvents    = 10_000
	mostBytes     = 4 << 20
	mostObservers = 64
	mostPersons   = 64
)

// Hub is the stream of one session. All methods may be called from any goroutine, and
// none of them waits, except those that take a context.
type Hub struct {
	mu        sync.Mutex // guards all below; the last lock to be taken
	events    []Event    // that are kept, in order
	bytes     int        // of them
	printed   int        // of these, the bytes of output
	last      int64      // number of the newest event
	observers map[*Observer]bool

	state       State
	view        *View
	breakpoints []Breakpoint // by id
	pending     []*pendingOutput

	present   []*presence
	hold      Hold
	holder    string      // the key of who holds
	release   *time.Timer // of a holder who has left
	did       []Did       // since the agent's last reply
	forgotten int         // of those, that were too many
	acted     chan struct{}
	acting    int
	rested    chan struct{} // closed while nobody acts

	questions []*openQuestion
	asked     int // number of the newest question
}

// New makes an empty hub.
func New() *Hub {
	rested := make(chan struct{})
	close(rested)
	return &Hub{observers: map[*Observer]bool{}, acted: make(chan struct{}), rested: rested}
}

// Snapshot is where a session stands, for one who comes late. The events that follow it
// begin after N.
type Snapshot struct {
	N           int64        `json:"n"`
	First       int64        `json:"first"` // the oldest event that is kept, 0 when there is none
	State       State        `json:"state"`
	View        *View        `json:"view,omitempty"` // of the stop at which it stands, once it is known
	Breakpoints []Breakpoint `json:"breakpoints"`
	Hold        *Hold        `json:"hold,omitempty"`
	Questions   []Question   `json:"questions,omitempty"` // that are open
	Present     []string     `json:"present,omitempty"`   // persons
}

// Snapshot is that of now.
func (h *Hub) Snapshot() Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.snapshot()
}

func (h *Hub) snapshot() Snapshot {
	s := Snapshot{N: h.last, State: h.state, View: h.view, Breakpoints: slices.Clone(h.breakpoints)}
	if len(h.events) > 0 {
		s.First = h.events[0].N
	}
	if h.hold.Person != "" {
		hold := h.hold
		s.Hold = &hold
	}
	for _, q := range h.questions {
		s.Questions = append(s.Questions, q.Question)
	}
	for _, p := range h.present {
		if p.count > 0 {
			s.Present = append(s.Present, p.person.Name)
		}
	}
	return s
}

// Events lists what is kept after number after, at most so many, oldest first. Lost is how
// many between are kept no more.
func (h *Hub) Events(after int64, most int) (events []Event, lost int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.since(after, most)
}

func (h *Hub) since(after int64, most int) (events []Event, lost int) {
	from, _ := slices.BinarySearchFunc(h.events, after+1, func(e Event, n int64) int { return int(e.N - n) })
	events = slices.Clone(h.events[from:min(from+most, len(h.events))])
	if len(events) == 0 {
		return nil, int(h.last - after)
	}
	return events, int(events[len(events)-1].N-after) - len(events)
}

// SetState says where the session stands now.
func (h *Hub) SetState(by Author, st State) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state = st
	if h.view != nil && h.view.Epoch != st.Epoch {
		h.view = nil
	}
	h.publish(Event{By: by, Kind: KindState, State: &st})
	if st.Ended && h.holder != "" { // there is nothing to drive any more
		h.endHold(Person{Name: h.hold.Person, Key: h.holder}, "program ended")
	}
}

// SetView gives the picture of a stop. One of another stop than the current one is dropped.
func (h *Hub) SetView(v View) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.Epoch != h.state.Epoch || !h.state.Stopped {
		return
	}
	h.view = &v
	h.publish(Event{By: Program, Kind: KindView, View: &v})
}

// HasView says whether the picture of a stop is known, or not wanted any more.
func (h *Hub) HasView(epoch int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state.Epoch != epoch || h.view != nil && h.view.Epoch == epoch
}

// IsObserved says whether anybody watches.
func (h *Hub) IsObserved() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.observers) > 0
}

// SetBreakpoints tells which breakpoints there are now: what differs from the last time is
// an event. What the program does to breakpoints can only change them.
func (h *Hub) SetBreakpoints(by Author, now []Breakpoint) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var kept []Breakpoint
	for _, b := range now {
		at := slices.IndexFunc(h.breakpoints, func(known Breakpoint) bool { return known.ID == b.ID })
		switch {
		case at >= 0:
			b.By = h.breakpoints[at].By
			if b != h.breakpoints[at] {
				h.publish(Event{By: by, Kind: KindBreakpoint, Breakpoint: &BreakpointChange{BreakpointChanged, b}})
			}
		case by.Kind == ByProgram:
			continue // whoever sets it tells
		default:
			b.By = by
			h.publish(Event{By: by, Kind: KindBreakpoint, Breakpoint: &BreakpointChange{BreakpointSet, b}})
		}
		kept = append(kept, b)
	}
	for _, b := range h.breakpoints {
		if slices.ContainsFunc(now, func(n Breakpoint) bool { return n.ID == b.ID }) {
			continue
		}
		if by.Kind == ByProgram {
			kept = append(kept, b)
			continue
		}
		h.publish(Event{By: by, Kind: KindBreakpoint, Breakpoint: &BreakpointChange{BreakpointRemoved, b}})
	}
	slices.SortFunc(kept, func(a, b Breakpoint) int { return a.ID - b.ID })
	h.breakpoints = kept
}

// AddCall tells what the agent asks, and gives the number of that event.
func (h *Hub) AddCall(c Call) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	c.Args, c.Cut = cutText(c.Args, longestArgs)
	h.publish(Event{By: Agent, Kind: KindCall, Call: &c})
	return h.last
}

// AddReply tells what the agent is answered.
func (h *Hub) AddReply(r Reply) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r.Text, r.Cut = cutText(r.Text, longestReply)
	if len(r.Data) > longestData {
		r.Data = nil
	}
	h.publish(Event{By: Agent, Kind: KindReply, Reply: &r})
}

// publish numbers an event and keeps it; who reads the stream is woken. What was printed
// before it comes before it. The lock is held.
func (h *Hub) publish(e Event) {
	h.flushAll()
	h.append(e)
}

func (h *Hub) append(e Event) {
	h.last++
	e.N, e.At = h.last, time.Now()
	h.events = append(h.events, e)
	h.count(&e, 1)
	if len(h.events) > mostEvents || h.bytes > mostBytes {
		h.shrink()
	}
	for o := range h.observers {
		o.poke()
	}
}

func (h *Hub) count(e *Event, sign int) {
	n := sign * e.size()
	h.bytes += n
	if e.Kind == KindOutput {
		h.printed += n
	}
}

// shrink forgets a part at once, so that it is rarely done: of output, where that is most
// of it, else of everything.
func (h *Hub) shrink() {
	onlyOutput := h.printed > h.bytes/2
	drop := len(h.events) / 4
	h.events = slices.DeleteFunc(h.events, func(e Event) bool {
		if drop == 0 || onlyOutput && e.Kind != KindOutput {
			return false
		}
		drop--
		h.count(&e, -1)
		return true
	})
}
