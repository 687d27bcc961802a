package hub

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/fault"
)

// Person is one who watches: Name is shown, Key tells persons of one session apart.
type Person struct{ Name, Key string }

// Author is the person as an author.
func (p Person) Author() Author { return Author{ByPerson, p.Name} }

// presence is a person, and at how many places.
type presence struct {
	person Person
	count  int
}

// absence is how long a person who has left holds the session on.
const absence = time.Minute

// Arrive says that a person watches from now on, until leave is called. The key tells who it
// is: the same key is the same person, at another window. An empty key is that of
// the name, if nobody of that name is there; else the person gets a name of its own.
func (h *Hub) Arrive(name, key string) (p Person, leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	name, _ = cutText(cmp.Or(name, "somebody"), longestName)
	h.present = slices.DeleteFunc(h.present, func(x *presence) bool { return x.count == 0 && x.person.Key != h.holder })
	who := h.seat(name, key)
	if who == nil {
		if len(h.present) >= mostPersons {
			return Person{}, nil, fault.New(fault.SessionLimit, "%d persons watch this session already", mostPersons)
		}
		unique := h.uniqueName(name)
		who = &presence{person: Person{unique, cmp.Or(key, "name:"+unique)}}
		h.present = append(h.present, who)
	}
	who.count++
	if who.count == 1 {
		h.publish(Event{By: who.person.Author(), Kind: KindPresence, Presence: &PresenceChange{who.person.Name, true}})
		if h.holder == who.person.Key && h.release != nil {
			h.release.Stop()
			h.release, h.hold.EndsAt = nil, nil
			h.publishHold(who.person.Author())
		}
	}
	left := false
	return who.person, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !left {
			left = true
			h.leave(who)
		}
	}, nil
}

// longestName is how much of a person's name is kept, in bytes.
const longestName = 60

// seat is the known presence that a name and a key mean: that of the key; without one that
// of the name, if it is empty.
func (h *Hub) seat(name, key string) *presence {
	for _, x := range h.present {
		if key != "" && x.person.Key == key || key == "" && x.count == 0 && x.person.Key == "name:"+name {
			return x
		}
	}
	return nil
}

// uniqueName is the name, with a number where it is taken.
func (h *Hub) uniqueName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(h.present, func(x *presence) bool { return x.person.Name == name })
	}
	unique := name
	for n := 2; taken(unique); n++ {
		unique = fmt.Sprintf("%s %d", name, n)
	}
	return unique
}

// leave says that a person is at one place less.
func (h *Hub) leave(who *presence) {
	if who.count--; who.count > 0 {
		return
	}
	h.publish(Event{By: who.person.Author(), Kind: KindPresence, Presence: &PresenceChange{who.person.Name, false}})
	if h.holder != who.person.Key {
		return
	}
	ends := time.Now().Add(absence)
	h.hold.EndsAt = &ends
	// It owns the hold until somebody stops it, and ends when it has run.
	var release *time.Timer
	release = time.AfterFunc(absence, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.release == release {
			h.endHold(who.person, "left")
		}
	})
	h.release = release
	h.publishHold(who.person.Author())
}

func (h *Hub) publishHold(by Author) {
	hold := h.hold
	h.publish(Event{By: by, Kind: KindHold, Hold: &hold})
}

// Take lets a person hold the session: the agent's driving is refused until it is given back.
func (h *Hub) Take(p Person) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch here := slices.ContainsFunc(h.present, func(x *presence) bool { return x.person == p && x.count > 0 }); {
	case !here:
		return fault.New(fault.InvalidParam, "only who watches the session can take it")
	case h.holder == p.Key:
		return nil
	case h.holder != "":
		return h.heldError()
	}
	h.holder, h.hold = p.Key, Hold{Person: p.Name, Since: time.Now()}
	h.publishHold(p.Author())
	h.record(p, "took the session", "")
	return nil
}

// Give gives the session back to the agent.
func (h *Hub) Give(p Person) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holder != p.Key {
		if h.holder != "" {
			return h.heldError()
		}
		return fault.New(fault.InvalidParam, "nobody holds the session, so that there is nothing to give back")
	}
	h.endHold(p, "given back")
	return nil
}

func (h *Hub) endHold(p Person, how string) {
	if h.release != nil {
		h.release.Stop()
	}
	h.holder, h.release, h.hold = "", nil, Hold{Ended: how}
	h.publishHold(p.Author())
	did := "gave the session back"
	switch how {
	case "left":
		did = "left, so that the session is the agent's again"
	case "program ended":
		did = "holds the session no more: the program has ended"
	}
	h.record(p, did, "")
}

// CheckAgent returns why the agent may not drive: HELD_BY_PERSON.
func (h *Hub) CheckAgent() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.holder == "" {
		return nil
	}
	return h.heldError()
}

// CheckCode returns why what is done in this context may not run code in the program: while
// a person holds the session, only a person's acts do.
func (h *Hub) CheckCode(ctx context.Context) error {
	if ctx.Value(actKey{}) != nil {
		return nil
	}
	return h.CheckAgent()
}

// CheckPerson returns why a person may not drive: that needs the session taken.
func (h *Hub) CheckPerson(p Person) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.holder {
	case p.Key:
		return nil
	case "":
		return fault.New(fault.InvalidParam, "the agent drives this session: take it first")
	}
	return h.heldError()
}

// heldError says who holds the session and how that ends. The lock is held.
func (h *Hub) heldError() error {
	ends := fmt.Sprintf("it ends when %s gives it back, or a minute after leaving", h.hold.Person)
	if h.hold.EndsAt != nil {
		ends = fmt.Sprintf("%s has left: it ends in %s, unless they come back", h.hold.Person,
			max(time.Until(*h.hold.EndsAt), 0).Round(time.Second))
	}
	return fault.New(fault.HeldByPerson, "%s has held this session for %s (since %s)", h.hold.Person,
		time.Since(h.hold.Since).Round(time.Second), h.hold.Since.UTC().Format(time.RFC3339)).
		WithHint("%s. Looking is allowed meanwhile; execute(wait) wakes when they do something, session(ask) asks them", ends)
}

// mostDid is how many acts wait for the agent's next reply.
const mostDid = 50

// record keeps what a person did for the agent's next reply, and wakes the agent.
func (h *Hub) record(p Person, did, text string) {
	did, _ = cutText(did, longestDid)
	text, _ = cutText(text, longestText)
	d := Did{Who: p.Name, Did: did, At: time.Now(), Text: text}
	h.did = append(h.did, d)
	if extra := len(h.did) - mostDid; extra > 0 {
		h.did, h.forgotten = slices.Delete(h.did, 0, extra), h.forgotten+extra
	}
	h.publish(Event{By: p.Author(), Kind: KindDid, Did: &d})
	h.wakeAgent()
}

func (h *Hub) wakeAgent() {
	close(h.acted)
	h.acted = make(chan struct{})
}

// Record notes what a person did, for the stream and for the agent's next reply.
func (h *Hub) Record(p Person, did, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.record(p, did, text)
}

// actKey marks the context of what is done for a person.
type actKey struct{}

// Acting says that a person begins to do something, which may take a moment, with the
// context that it gives. With room an agent that waits makes room at once. The caller calls
// done when it is recorded.
func (h *Hub) Acting(ctx context.Context, room bool) (act context.Context, done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acting++; h.acting == 1 {
		h.rested = make(chan struct{})
	}
	if room {
		h.wakeAgent()
	}
	ended := false
	return context.WithValue(ctx, actKey{}, true), func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if ended {
			return
		}
		ended = true
		if h.acting--; h.acting == 0 {
			close(h.rested)
		}
	}
}

// Acted is closed at the next act of a person, and is closed already while one is under way:
// then nobody waits but who does it, whose context this is.
func (h *Hub) Acted(ctx context.Context) <-chan struct{} {
	if ctx.Value(actKey{}) != nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.acting > 0 {
		now := make(chan struct{})
		close(now)
		return now
	}
	return h.acted
}

// TakeDid returns what persons did since the last time, oldest first, and how many acts
// before these are forgotten. An act that is under way is waited for, as long as ctx lasts.
func (h *Hub) TakeDid(ctx context.Context) (did []Did, forgotten int) {
	h.mu.Lock()
	rested := h.rested
	h.mu.Unlock()
	select {
	case <-rested:
	case <-ctx.Done():
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	did, forgotten = h.did, h.forgotten
	h.did, h.forgotten = nil, 0
	return did, forgotten
}
