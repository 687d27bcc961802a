// Package machine is a machine's end of a cluster: it owns the pool of workers, and
// gives seats in it to clients whose gateways are elsewhere. Pool, limits, crash budgets
// and ids stay here.
//
// It knows nothing of debugging, and of HTTP only by which method a page is acted on.
package machine

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/wire"
	"aidb-mcp/internal/serving/audit"
	"aidb-mcp/internal/serving/grants"
	"aidb-mcp/internal/serving/pool"
)

// Workspace is a directory that clients work in, by a name.
type Workspace struct{ Name, Dir string }

// Options describe a machine.
type Options struct {
	Name       string
	Workspaces []Workspace
	Labels     map[string]string
	Version    string
	Pool       *pool.Pool
	Pages      *Pages // those of the pool; nil: it has none
	Log        *slog.Logger

	// Narrow is the command that starts workers of a principal that may do less than others, for a
	// directory; the error says why it may not work there. Nil: such principals get no workers.
	Narrow func(dir string, g grants.Grant) (command []string, err error)
	// Audit is told of all acts that come here, but for those that have come by the gateway called
	// Gateway, whose log it is, too. Nil: acts are not recorded.
	Audit   *audit.Log
	Gateway string

	// Fences says that workers are this same program: they are told by when a call must have
	// begun, and refuse it later.
	Fences bool
}

// The bounds of what is kept.
const (
	announceEvery = time.Second
	orphaned      = 5 * time.Minute  // a seat without a word of its gateway is left
	buriedFor     = 15 * time.Second // longer than any lease
	maxSeats      = 10_000
	mostQueued    = 100       // of those who wait for a worker, that are told
	maxPending    = 64 << 10  // messages that wait to be read
	pendingBytes  = 256 << 20 // their bytes
)

// Host serves gateways. Goroutines: one that tells that we live; NATS's reader of what
// gateways say; of each seat, one that asks and one of its line.
type Host struct {
	o     Options
	nc    *nats.Conn
	epoch string

	mu       sync.Mutex // guards the fields below
	seats    map[string]*seat
	lines    map[string]*seat     // by the name of the line that each has
	buried   map[string]time.Time // lines that are over, and since when
	closed   bool
	uses     uses
	parked   map[*seat]struct{}  // whose clients have gone, and whose workers have not
	visitors map[string]*visitor // of pages, by the name of their lines
	clocks   suspendClock

	changed chan struct{} // the presence has
}

// New makes a host, which has an epoch but serves nobody yet.
func New(o Options) *Host {
	return &Host{
		o: o, epoch: rand.Text(), clocks: suspendClock{began: time.Now()}, changed: make(chan struct{}, 1),
		seats: map[string]*seat{}, lines: map[string]*seat{}, buried: map[string]time.Time{},
		uses: newUses(), parked: map[*seat]struct{}{}, visitors: map[string]*visitor{},
	}
}

// Epoch names this run of the machine.
func (h *Host) Epoch() string { return h.epoch }

// clock is what leases are given and judged by, in milliseconds since we began.
func (h *Host) clock() int64 { return h.clocks.now().Milliseconds() }

// ServeUntil is Serve, and ends also when the cluster lets this machine in no more, which
// is the error then.
func (h *Host) ServeUntil(ctx context.Context, nc *nats.Conn, refused <-chan error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-refused:
			cancel(fmt.Errorf("the cluster lets this machine in no more: %w", err))
		case <-ctx.Done():
		}
	}()
	if err := h.Serve(ctx, nc); err != nil {
		return err
	}
	if why := context.Cause(ctx); why != nil && !errors.Is(why, context.Canceled) {
		return why
	}
	return nil
}

// Serve serves over a connection until ctx ends, and ends all seats then.
func (h *Host) Serve(ctx context.Context, nc *nats.Conn) error {
	h.nc = nc
	packets, err := nc.Subscribe(span.Down(h.o.Name), h.take)
	if err == nil {
		err = packets.SetPendingLimits(maxPending, pendingBytes)
	}
	if err == nil {
		_, err = nc.Subscribe(span.Who, func(*nats.Msg) { h.stir() })
	}
	if err == nil {
		err = nc.Flush() // the server knows of the subscriptions before we say that we are there
	}
	if err != nil {
		return fmt.Errorf("listening to the cluster: %w", err)
	}
	h.announce(ctx)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeFor)
	defer cancel()
	h.close(closing)
	_ = nc.Publish(span.Gone(h.o.Name), []byte(h.epoch))
	_ = nc.FlushTimeout(time.Second / 2)
	nc.Close()
	return nil
}

// closeFor is how long an orderly end may take.
const closeFor = 4 * time.Second

// Back is told when the connection is there again: gateways then speak to each seat, which
// may answer only whom it has heard on this connection.
func (h *Host) Back() { h.stir() }

// stir has the presence told again soon.
func (h *Host) stir() {
	select {
	case h.changed <- struct{}{}:
	default:
	}
}

// announce tells that we live until ctx ends.
func (h *Host) announce(ctx context.Context) {
	tick := time.NewTicker(announceEvery)
	defer tick.Stop()
	for wasWhole := true; ; {
		text, isWhole := presenceWithin(h.nc.MaxPayload(), h.presence())
		if wasWhole && !isWhole {
			h.o.Log.Warn("gateways are not told of what principals do here: they are too many for one message; limits hold on this machine only")
		}
		wasWhole = isWhole
		_ = h.nc.Publish(span.Here(h.o.Name), text) // while the connection is cut there is nobody to hear it
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.sweep()
		case <-h.changed:
		}
	}
}

func (h *Host) presence() span.Presence {
	status, limits := h.o.Pool.Status(), h.o.Pool.Limits()
	p := span.Presence{
		Epoch: h.epoch, Clock: h.clock(), Connection: h.nc.Stats().Reconnects, Handles: limits.Machine, Labels: h.o.Labels, Version: h.o.Version, Workers: limits.Workers,
		Running: status.Workers, Waiting: status.Waiting, Calls: status.Calls, GivenUp: status.GivenUp, Sessions: status.Sessions,
		Uses: h.uses.all(h.o.Pool.Taken(), time.Now()), Working: status.Working, Parts: h.o.Fences,
		Parked: h.parkedOf(),
	}
	for _, w := range h.o.Pool.Waiting() {
		if len(p.Queue) < mostQueued {
			p.Queue = append(p.Queue, span.Waiter{Principal: w.Principal, Millis: time.Since(w.Since).Milliseconds()})
		}
	}
	for _, w := range h.o.Workspaces {
		p.Workspaces = append(p.Workspaces, w.Name)
	}
	return p
}

// sweep ends seats whose gateways are gone, and forgets lines that nothing can be under way of.
func (h *Host) sweep() {
	now := time.Now()
	var orphans []*seat
	h.mu.Lock()
	for _, s := range h.seats {
		if now.Sub(s.lastWord()) > orphaned {
			orphans = append(orphans, s)
		}
	}
	h.sweepPages(now)
	h.sweepParked()
	for name, since := range h.buried {
		if now.Sub(since) > buriedFor {
			delete(h.buried, name)
		}
	}
	h.mu.Unlock()
	for _, s := range orphans {
		h.o.Log.Info("a client's gateway has been silent for long: its place is given up", "principal", s.principal, "after", orphaned)
		go s.leave()
	}
}

// take takes a packet of a gateway.
func (h *Host) take(m *nats.Msg) {
	p, err := wire.Decode(m.Data)
	if err != nil || m.Reply == "" {
		h.o.Log.Warn("a message of the cluster is none of ours; it is passed over", "error", err)
		return
	}
	if h.takePage(m, p) {
		return
	}
	h.mu.Lock()
	s := h.lines[p.Line]
	_, over := h.buried[p.Line]
	h.mu.Unlock()
	if s == nil && !over && p.N == 1 && p.Op == span.OpOpen && h.clock() <= p.Lease+wire.LeaseFor.Milliseconds() {
		s, err = h.open(p, m.Reply)
		if err != nil {
			h.o.Log.Warn("a seat was refused", "error", err)
		}
	}
	if s == nil { // and there never will be: what opens it may be on a slower way
		h.mu.Lock()
		h.buried[p.Line] = time.Now()
		h.mu.Unlock()
		_ = h.nc.Publish(m.Reply, wire.Packet{Line: p.Line, None: true}.Encode())
		return
	}
	if line := s.lineOf(p.Line); line != nil {
		line.Take(p)
	}
}

var errClosing = errors.New("the machine is shutting down")

// open takes a line to a seat: to a new one, or to one whose line before was given up.
func (h *Host) open(p wire.Packet, reply string) (*seat, error) {
	var o span.Opening
	if p.More {
		return nil, errors.New("an opening that is too long")
	}
	if err := json.Unmarshal(p.Body, &o); err != nil {
		return nil, fmt.Errorf("reading an opening: %w", err)
	}
	if o.Pages != "" {
		h.o.Pages.noteGateway(o.Pages)
	}
	i := slices.IndexFunc(h.o.Workspaces, func(w Workspace) bool { return w.Name == o.Workspace })
	switch {
	case o.Epoch != h.epoch:
		return nil, errors.New("it is for an earlier run of this machine")
	case i < 0 && !o.Visits:
		return nil, fmt.Errorf("there is no workspace %q here", o.Workspace)
	case o.Seat == "":
		return nil, errors.New("it names no seat")
	}
	h.mu.Lock()
	s := h.seats[o.Seat]
	if s != nil && s.over.Err() != nil { // it is ending, and makes room for the next
		s = nil
	}
	switch {
	case h.closed:
		h.mu.Unlock()
		return nil, errClosing
	case s != nil && (s.principal != o.Principal || s.workspace != o.Workspace):
		h.mu.Unlock()
		return nil, errors.New("the seat is another principal's")
	case s == nil && len(h.seats) >= maxSeats:
		h.mu.Unlock()
		return nil, fmt.Errorf("there are %d seats already", maxSeats)
	}
	fresh := s == nil
	if !fresh {
		s.grant(o.Granted)
	} else {
		s = newSeat(h, o)
		if o.Visits {
			s.visits = map[string]context.CancelFunc{}
		} else {
			s.work(h.o.Workspaces[i].Dir, o.Hello)
		}
		h.seats[o.Seat] = s
	}
	before := s.connect(p.Line, reply, fresh)
	delete(h.lines, before)
	if before != "" {
		h.buried[before] = time.Now()
	}
	h.lines[p.Line] = s
	h.mu.Unlock()
	if before != "" {
		s.dropCalls()
	}
	h.grantParked(o.Principal, o.Granted)
	return s, nil
}

// leave forgets a seat. What it has done is told at once: others may count on the room.
func (h *Host) leave(s *seat, line string) {
	defer h.stir()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seats[s.id] == s {
		delete(h.seats, s.id)
	}
	if s.slot != nil && s.slot.Running() {
		h.parked[s] = struct{}{}
	}
	delete(h.lines, line)
	if line != "" {
		h.buried[line] = time.Now()
	}
}

// close ends all seats with their workers, until ctx ends.
func (h *Host) close(ctx context.Context) {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.o.Pool.Close(ctx) // who waits is answered by that
	h.mu.Lock()
	seats := make([]*seat, 0, len(h.seats))
	for _, s := range h.seats {
		seats = append(seats, s)
	}
	h.mu.Unlock()
	for _, s := range seats {
		s.flush(ctx)
	}
}
