// Package link is a gateway's end of a cluster: it gives clients places in the pools of
// machines, and looks to the gateway as a pool of its own does.
//
// It knows nothing of HTTP and of debugging, and keeps nothing that another gateway needs.
package link

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/mcp/frame"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// Options describe a gateway's end.
type Options struct {
	Name    string // of the gateway
	Limits  pool.Options
	Observe pool.Observer
	Log     *slog.Logger
	Pages   string          // below which persons reach pages here; empty: there are none
	Grants  *grants.Current // nil: all principals may do the same
	Rates   *grants.Rates   // is told of the calls that they make at other gateways; nil: nobody is
}

// How machines are watched.
const (
	silentAfter  = wire.Patience
	watchEvery   = 250 * time.Millisecond
	touchEvery   = time.Second     // where a call is open, so that the machine knows that we live
	keepEvery    = time.Minute     // else
	firstWords   = 2 * time.Second // machines may take to tell that they are there
	forgetAfter  = 24 * time.Hour  // a machine that is away
	maxMachines  = 10_000
	maxPending   = 64 << 10
	pendingBytes = 256 << 20
)

// Link is a gateway's end. Goroutines: one that watches the machines, NATS's readers, and
// of each seat one of its line.
type Link struct {
	o     Options
	nc    *nats.Conn
	reply string // where machines answer
	began time.Time
	stop  chan struct{}

	mu       sync.Mutex // guards the fields below; taken before no other
	machines map[string]*machine
	lines    map[string]lineReceiver
	seats    map[*seat]struct{}
	visits   map[visitKey]*seat
	changed  chan struct{} // closed when a machine comes or changes
	closed   bool
}

// lineReceiver takes the packets of a line.
type lineReceiver interface{ take(p wire.Packet) }

// machine is what is known of one. Its fields are guarded by the link's mutex.
type machine struct {
	name    string
	is      span.Presence
	heard   time.Time
	gone    bool
	why     string // it is gone
	placing int    // seats since it last told what it does
}

// New makes an end; nc is its connection from Serve on.
func New(o Options) *Link {
	return &Link{
		o: o, began: time.Now(), stop: make(chan struct{}),
		machines: map[string]*machine{}, lines: map[string]lineReceiver{}, seats: map[*seat]struct{}{}, visits: map[visitKey]*seat{}, changed: make(chan struct{}),
	}
}

// Serve listens to the machines; it returns at once.
func (l *Link) Serve(nc *nats.Conn) error {
	l.nc, l.reply = nc, span.Up(l.o.Name, rand.Text())
	for subject, hear := range map[string]nats.MsgHandler{
		l.reply: l.take, span.EachHere: l.hearHere, span.EachGone: l.hearGone,
	} {
		s, err := nc.Subscribe(subject, hear)
		if err == nil {
			err = s.SetPendingLimits(maxPending, pendingBytes)
		}
		if err != nil {
			return fmt.Errorf("listening to the cluster: %w", err)
		}
	}
	if err := nc.Flush(); err != nil {
		return fmt.Errorf("listening to the cluster: %w", err)
	}
	l.Inquire()
	go l.watch()
	return nil
}

// Inquire asks which machines there are.
func (l *Link) Inquire() { _ = l.nc.Publish(span.Who, nil) } // each tells it every second anyway

// hearHere takes what a machine tells of itself.
func (l *Link) hearHere(m *nats.Msg) {
	name := span.MachineOf(m.Subject)
	var is span.Presence
	if err := json.Unmarshal(m.Data, &is); err != nil || span.CheckName(name) != nil {
		l.o.Log.Warn("a machine's word of itself cannot be read", "machine", name, "error", err)
		return
	}
	l.mu.Lock()
	at := l.machines[name]
	if at == nil && len(l.machines) >= maxMachines {
		l.mu.Unlock()
		return
	}
	if at != nil && at.is.Epoch == is.Epoch && (at.gone || is.Clock < at.is.Clock) { // it comes late
		l.mu.Unlock()
		return
	}
	renewed := at != nil && at.is.Epoch != is.Epoch
	if at == nil || renewed {
		l.machines[name] = &machine{name: name}
	}
	next := l.machines[name]
	again := next.is.Connection != is.Connection
	isNew := !slices.Equal(next.is.Workspaces, is.Workspaces)
	others, moved := next.count(is, l.reply)
	parked := next.newlyParked(is)
	next.is, next.heard, next.placing = is, time.Now(), 0
	if isNew || moved {
		close(l.changed)
		l.changed = make(chan struct{})
	}
	l.mu.Unlock()
	if isNew {
		l.o.Log.Info("a machine is there", "machine", name, "workspaces", is.Workspaces, "version", is.Version)
	}
	if renewed && !at.gone {
		l.lose(at, "it has been started anew", true)
	}
	if again {
		l.touch(next)
	}
	l.countOthersCalls(others)
	if moved {
		l.tellGrants()
	}
	l.tellParked(next, parked)
}

// byHandles is the machine that handles call so, nil if there is none, or several claim to be it:
// each makes that name by itself at its start, and who claims another's would be given calls about
// the other's sessions. l.mu is held.
func (l *Link) byHandles(handles string) (found *machine) {
	for _, at := range l.machines {
		if at.is.Handles != handles || handles == "" || at.gone {
			continue
		}
		if found != nil {
			return nil
		}
		found = at
	}
	return found
}

// touch speaks to the seats on a machine, which then may answer.
func (l *Link) touch(at *machine) {
	l.mu.Lock()
	seats := slices.Collect(maps.Keys(l.seats))
	l.mu.Unlock()
	for _, s := range seats {
		s.touchAt(at)
	}
}

// hearGone takes the word of a machine's witness.
func (l *Link) hearGone(m *nats.Msg) {
	l.mu.Lock()
	at := l.machines[span.MachineOf(m.Subject)]
	known := at != nil && at.is.Epoch == string(m.Data) && !at.gone
	l.mu.Unlock()
	if known {
		l.lose(at, "its process has ended", true)
	}
}

// watch gives up on machines that are silent until the link is closed.
func (l *Link) watch() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-tick.C:
		}
		now := time.Now()
		var silent []*machine
		l.mu.Lock()
		for name, at := range l.machines {
			away := now.Sub(at.heard)
			if away > forgetAfter {
				delete(l.machines, name)
			}
			if !at.gone && away > silentAfter {
				silent = append(silent, at)
			}
		}
		seats := slices.Collect(maps.Keys(l.seats))
		l.mu.Unlock()
		for _, at := range silent {
			l.lose(at, "", false)
		}
		for _, s := range seats {
			s.touch(now)
		}
	}
}

// lose gives up what a machine has not answered: one that has ended, or is only silent.
func (l *Link) lose(at *machine, why string, ended bool) {
	l.mu.Lock()
	if ended {
		at.gone, at.why = true, why
	}
	var seats []*seat
	for s := range l.seats {
		seats = append(seats, s)
	}
	l.mu.Unlock()
	for _, s := range seats {
		s.lose(at, loss{why: why, ended: ended})
	}
	if ended {
		l.o.Log.Warn("a machine is gone", "machine", at.name, "why", why)
	}
}

// take takes a packet of a machine.
func (l *Link) take(m *nats.Msg) {
	if len(m.Data) == 0 {
		return // the server says that nobody listens there now, which proves nothing
	}
	p, err := wire.Decode(m.Data)
	if err != nil {
		l.o.Log.Warn("a message of the cluster is none of ours; it is passed over", "error", err)
		return
	}
	l.mu.Lock()
	s := l.lines[p.Line]
	l.mu.Unlock()
	if s != nil {
		s.take(p)
	}
}

// heard is when a machine was last heard, by its clock and by ours.
func (l *Link) heard(at *machine) (int64, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return at.is.Clock, at.heard
}

// Place takes a place for a client. Where it is, is found when there is something to ask.
func (l *Link) Place(who pool.Client, receive func(frame.Frame)) pool.Slot {
	s := newSeat(l, who, receive)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seats[s] = struct{}{}
	return s
}

// Named is true: clients may name a workspace.
func (l *Link) Named() bool { return true }

// Limits are those of the gateway. How many workers there may be, the machines say.
func (l *Link) Limits() pool.Options { return l.o.Limits }

// Status adds up what the machines tell.
func (l *Link) Status() pool.Status {
	status := pool.Status{Sessions: map[string]int{}}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.machines {
		if !at.lives() {
			continue
		}
		status.Workers += at.is.Running
		status.Waiting += at.is.Waiting
		status.Calls += at.is.Calls
		status.GivenUp += at.is.GivenUp
		for language, n := range at.is.Sessions {
			status.Sessions[language] += n
		}
	}
	return status
}

func (at *machine) lives() bool { return !at.gone && time.Since(at.heard) <= silentAfter }

// Close gives the places of all clients of this gateway back, until ctx ends. Their debug
// sessions stay for a while: they are found by their ids at other gateways, or at this one
// when it is back.
func (l *Link) Close(ctx context.Context) {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		defer close(l.stop)
	}
	seats := slices.Collect(maps.Keys(l.seats))
	l.mu.Unlock()
	for _, s := range seats {
		s.Leave()
	}
	for _, s := range seats {
		select {
		case <-s.over:
		case <-ctx.Done():
		}
	}
}

// offer is a workspace on a machine that lives.
type offer struct {
	at        *machine
	workspace string
}

// offers are the workspaces that there are for a principal, in no order; l.mu is held.
func (l *Link) offers(principal string) (all []offer) {
	g := l.o.Grants.Of(principal)
	for _, at := range l.machines {
		if at.lives() {
			for _, w := range at.is.Workspaces {
				if g.MayUse(w) {
					all = append(all, offer{at, w})
				}
			}
		}
	}
	return all
}

// listed tells workspaces in words, with their machines.
func listed(offers []offer) string {
	const most = 40
	by := map[string][]string{}
	for _, o := range offers {
		by[o.workspace] = append(by[o.workspace], o.at.name)
	}
	for _, machines := range by {
		slices.Sort(machines)
	}
	var words []string
	for i, w := range slices.Sorted(maps.Keys(by)) {
		if i == most {
			words = append(words, fmt.Sprintf("and %d more", len(by)-most))
			break
		}
		words = append(words, fmt.Sprintf("%s (on %s)", w, strings.Join(by[w], ", ")))
	}
	return strings.Join(words, ", ")
}
