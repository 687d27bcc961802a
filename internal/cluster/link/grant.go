package link

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/fault"
)

// What a principal may do is sent to its machines, which hold it to that. What it does through
// other gateways and on other machines comes from the machines, each second: until it has come,
// two gateways together may let through more than is allowed.

// grantedTo is what a machine is told of a principal. It takes the link's mutex.
func (l *Link) grantedTo(principal string, at *machine) span.Granted {
	g := span.Granted{Grant: l.o.Grants.Of(principal)}
	if g.Grant.Workers == 0 {
		return g
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, other := range l.machines {
		if other != at && other.lives() {
			g.Elsewhere += other.is.Uses[principal].Workers
		}
	}
	return g
}

// Renew tells the machines what principals may do now, also those that only have workers of theirs
// whose clients have gone.
func (l *Link) Renew() {
	l.tellGrants()
	for _, at := range l.living() {
		l.mu.Lock()
		parked := at.is.Parked
		l.mu.Unlock()
		l.tellParked(at, parked)
	}
}

// tellParked tells a machine what principals may do whose clients have gone, by a visit to it.
func (l *Link) tellParked(at *machine, principals []string) {
	if l.o.Grants == nil {
		return
	}
	for _, principal := range principals {
		_, _, refused := l.visitor(principal, at).open(context.Background()) // one that is open has been told as all seats are
		if refused != nil {
			l.o.Log.Warn("a machine is not told what a principal may do whose client has gone", "machine", at.name, "principal", principal, "error", refused)
		}
	}
}

// newlyParked are the principals whose clients have gone since a machine told of itself before: what
// they may do can have changed in between.
func (at *machine) newlyParked(is span.Presence) []string {
	return slices.DeleteFunc(slices.Clone(is.Parked), func(principal string) bool { return slices.Contains(at.is.Parked, principal) })
}

// tellGrants tells the machines what has changed in that, or in where the principals' workers are.
func (l *Link) tellGrants() {
	l.mu.Lock()
	seats := slices.Collect(maps.Keys(l.seats))
	l.mu.Unlock()
	for _, s := range seats {
		s.tellGrant()
	}
}

func (s *seat) tellGrant() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line == nil || s.closing {
		return
	}
	g := s.l.grantedTo(s.who.Principal, s.at)
	if g.Elsewhere == s.granted.Elsewhere && g.Grant.Same(s.granted.Grant) {
		return
	}
	s.granted = g
	s.line.Say(span.OpGrant, span.Marshal(g))
}

// count compares what a machine tells of principals with what it told before: how many calls they
// have made through other gateways since, and whether the number of their workers has changed. own
// is where this gateway listens. The link's mutex is held.
func (at *machine) count(is span.Presence, own string) (others map[string]int, moved bool) {
	isFirst := at.is.Epoch == "" // calls from before we came are not counted
	for principal, use := range is.Uses {
		before := at.is.Uses[principal]
		moved = moved || before.Workers != use.Workers
		for gateway, n := range use.Calls {
			if was := before.Calls[gateway]; gateway != own && !isFirst && n > was {
				if others == nil {
					others = map[string]int{}
				}
				others[principal] += int(min(n-was, 1_000_000))
			}
		}
	}
	for principal, before := range at.is.Uses {
		if _, still := is.Uses[principal]; !still && before.Workers > 0 {
			moved = true
		}
	}
	return others, moved
}

// countOthersCalls takes calls made through other gateways off what principals may make here.
func (l *Link) countOthersCalls(others map[string]int) {
	if l.o.Rates == nil {
		return
	}
	for principal, n := range others {
		l.o.Rates.Spend(principal, l.o.Grants.Of(principal).Calls, n)
	}
}

// awaitRoom waits until the principal of a seat may have a worker on the machine of the seat, or on
// one where it can get a place. If all workers that it may have are on other machines, those are
// asked to end one that is idle.
func (l *Link) awaitRoom(ctx context.Context, s *seat) *fault.Error {
	most := l.o.Grants.Of(s.who.Principal).Workers
	if most == 0 {
		return nil
	}
	wait := l.o.Limits.Wait
	over := time.NewTimer(wait)
	defer over.Stop()
	defer s.awaitsRoom(time.Time{})
	for asked := false; ; asked = true {
		s.mu.Lock()
		at := s.at
		s.mu.Unlock()
		l.mu.Lock()
		total, has := 0, map[*machine]int{}
		for _, m := range l.machines {
			if n := m.is.Uses[s.who.Principal].Workers; n > 0 && m.lives() {
				total, has[m] = total+n, n
			}
		}
		changed := l.changed
		l.mu.Unlock()
		if total < most || at != nil && has[at] > 0 { // the machine's own pool decides
			return nil
		}
		if at == nil && l.canReuseWorker(s, has) {
			return nil
		}
		if !asked {
			s.awaitsRoom(time.Now())
			for m := range has {
				l.askForRoom(ctx, s.who.Principal, m)
			}
		}
		select {
		case <-changed:
		case <-over.C:
			return fault.New(fault.WorkerLimit, "%s may have %d workers, and none became free within %s; it has %s", s.who.Principal, most, wait, where(has)).
				WithHint("stop a debug session that you do not need (session with action stop) or end an MCP session, and call again; a worker without a message for a while ends by itself")
		case <-ctx.Done():
			return fault.New(fault.Cancelled, "the call was given up: %v", context.Cause(ctx))
		}
	}
}

func (s *seat) awaitsRoom(since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awaits = since
}

// Uses is how many workers a principal with limits has on all machines, as these have told.
func (l *Link) Uses(principal string) (workers int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.machines {
		if m.lives() {
			workers += m.is.Uses[principal].Workers
		}
	}
	return workers
}

// withRoom are the offers where a principal may have a worker: all of them; or, if it has as many
// workers as it may, those of machines that can end one of its workers; l.mu is held.
func (l *Link) withRoom(principal string, offers []offer) []offer {
	most, total := l.o.Grants.Of(principal).Workers, 0
	for _, m := range l.machines {
		if m.lives() {
			total += m.is.Uses[principal].Workers
		}
	}
	own := slices.DeleteFunc(slices.Clone(offers), func(o offer) bool { return o.at.is.Uses[principal].Workers == 0 })
	if most == 0 || total < most || len(own) == 0 {
		return offers
	}
	return own
}

// canReuseWorker says that the seat may be on one of the machines where the principal has workers:
// the pool there can end one for it.
func (l *Link) canReuseWorker(s *seat, has map[*machine]int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.offers(s.who.Principal), func(o offer) bool { return has[o.at] > 0 && o.fits(s.who) })
}

// askForRoom asks a machine to end an idle worker of a principal.
func (l *Link) askForRoom(ctx context.Context, principal string, at *machine) {
	v := l.visitor(principal, at)
	if line, _, refused := v.open(ctx); refused == nil {
		line.Say(span.OpYield, nil)
	}
}

func where(has map[*machine]int) string {
	var words []string
	for m, n := range has {
		words = append(words, fmt.Sprintf("%d on %s", n, m.name))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
