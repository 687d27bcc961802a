package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
)

// What a line keeps to. A lease is shorter than the patience of who sends by it,
// so that what is given up can no longer be taken.
const (
	PieceSize  = 256 << 10             // bytes of a piece
	LeaseFor   = 4 * time.Second       // after the word that it names, a piece is not taken any more
	Patience   = 5 * time.Second       // from the word that the last copy was sent by until a piece is given up
	ackDelay   = 15 * time.Millisecond // an acknowledgment waits for something to go with
	firstRetry = 200 * time.Millisecond
	lastRetry  = time.Second
	maxCopies  = 3                      // of a piece, without a sign that the other end lives
	holdAfter  = 500 * time.Millisecond // without one, nothing more is sent that would have to be given up
	window     = 4 << 20
	maxQueue   = 64 << 20
	maxMessage = 24 << 20
)

// Why a line ends by itself.
var (
	ErrUnheard = errors.New("nothing of what was sent has been confirmed")
	ErrTooMuch = errors.New("more waits to be sent than is kept")
	ErrTooLong = errors.New("a message is longer than is taken")
)

// Options are what an end needs.
type Options struct {
	Name    string                       // of the conversation, the same at both ends
	Send    func(packet []byte) error    // an error says that nothing has left us
	Deliver func(op string, body []byte) // in order, one at a time; must not block
	Ended   func(error)                  // the line has ended by itself; called once, from a goroutine of its own

	// Heard is when the other end was last heard to live: by its clock, in
	// milliseconds, and by ours. An end that has it gives up what stays
	// unconfirmed; one that has not (nil) tries for as long as the line lasts.
	Heard func() (theirs int64, ours time.Time)
	// Clock is what the leases of the other end are judged by, nil where it gives none.
	Clock func() int64
}

// Line is one end of a conversation. Its goroutine sends.
type Line struct {
	o    Options
	wake chan struct{}
	done chan struct{}

	taking sync.Mutex // held while messages are delivered; taken before mu

	mu      sync.Mutex // guards the fields below
	last    uint64     // number of the newest piece
	acked   uint64     // of ours, every one up to this has come there
	queue   []*piece   // unconfirmed, the oldest first
	queued  int        // their bytes
	got     uint64     // of theirs, every one up to this has come here
	part    []byte     // of a message that goes on
	owes    time.Time  // since when an acknowledgment is due; zero: none
	hurry   bool       // it is due at once
	gap     bool       // and says that something is missing
	asked   time.Time  // when we last asked what has come
	closed  bool
	moved   time.Time     // when something of ours was last confirmed
	leased  time.Time     // when the word came that the newest copy of a piece was sent by
	leaseBy int64         // the newest lease that has come
	empty   chan struct{} // closed when nothing is unconfirmed; nil while nobody waits for it
}

type piece struct {
	packet Packet
	made   time.Time
	sent   time.Time // the last copy; zero: none is under way
	first  time.Time // the first since the other end gave a sign
	left   bool      // a copy may have left us
	copies int
}

// New makes an end, which sends until it is closed.
func New(o Options) *Line {
	l := &Line{o: o, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go l.run()
	return l
}

// Say sends a message. The number is that of its last piece, by which State knows it.
func (l *Line) Say(op string, body []byte) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return l.last
	}
	now := time.Now()
	for rest := body; ; {
		n := min(len(rest), PieceSize)
		l.last++
		more := n < len(rest)
		l.queue = append(l.queue, &piece{made: now, packet: Packet{Line: l.o.Name, N: l.last, Op: op, More: more, Body: rest[:n]}})
		l.queued += n
		if rest = rest[n:]; !more {
			break
		}
	}
	if l.queued > maxQueue {
		l.end(ErrTooMuch)
	}
	l.stir()
	return l.last
}

// State is what is known of a message.
type State int

// A message is Unsent while no copy of its last piece has left us, so that it cannot
// have been delivered; Taken when the other end has confirmed it; else Sent.
const (
	Unsent State = iota
	Sent
	Taken
)

// State says what is known of the message that ends with this piece.
func (l *Line) State(n uint64) State {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n <= l.acked {
		return Taken
	}
	for _, p := range l.queue {
		if p.packet.N == n && p.left {
			return Sent
		}
	}
	return Unsent
}

// Lease is the newest that the other end has written.
func (l *Line) Lease() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.leaseBy
}

// Touch tells that this end lives, with its newest lease.
func (l *Line) Touch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owes, l.hurry = cmp.Or(l.owes, time.Now()), true
	l.stir()
}

// Flush waits until all that was said has come there, until the line or ctx ends.
func (l *Line) Flush(ctx context.Context) {
	l.mu.Lock()
	if len(l.queue) == 0 || l.closed {
		l.mu.Unlock()
		return
	}
	if l.empty == nil {
		l.empty = make(chan struct{})
	}
	empty := l.empty
	l.mu.Unlock()
	select {
	case <-empty:
	case <-l.done:
	case <-ctx.Done():
	}
}

// Close ends the line. Nothing more is sent and delivered.
func (l *Line) Close() {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.done)
	}
	l.mu.Unlock()
	l.taking.Lock() // a delivery that runs ends first
	defer l.taking.Unlock()
}

// end closes the line for a reason; mu is held.
func (l *Line) end(why error) {
	if l.closed {
		return
	}
	l.closed = true
	close(l.done)
	if l.o.Ended != nil {
		go l.o.Ended(why)
	}
}

func (l *Line) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Take takes a packet of the other end.
func (l *Line) Take(p Packet) {
	l.taking.Lock()
	defer l.taking.Unlock()
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return
	}
	l.confirm(p)
	op, message, whole := l.takePiece(p)
	l.mu.Unlock()
	l.stir()
	if whole {
		l.o.Deliver(op, message)
	}
}

// confirm notes what has come to the other end; mu is held.
func (l *Line) confirm(p Packet) {
	if p.Ack > l.acked && p.Ack <= l.last {
		l.acked, l.moved = p.Ack, time.Now()
		n := 0
		for n < len(l.queue) && l.queue[n].packet.N <= p.Ack {
			l.queued -= len(l.queue[n].packet.Body)
			n++
		}
		l.queue = l.queue[n:]
	}
	if len(l.queue) == 0 && l.empty != nil {
		close(l.empty)
		l.empty = nil
	}
	if !p.Gap || len(l.queue) == 0 || p.Ack != l.acked {
		return
	}
	if oldest := l.queue[0]; !oldest.sent.IsZero() && time.Since(oldest.sent) > 2*ackDelay {
		for _, q := range l.queue { // the other end lives: all are sent again
			q.sent, q.first, q.copies = time.Time{}, time.Time{}, 0
		}
	}
}

// takePiece takes the next piece, and the message that it completes; mu is held.
func (l *Line) takePiece(p Packet) (op string, message []byte, whole bool) {
	if p.Ask {
		l.owes, l.hurry, l.gap = cmp.Or(l.owes, time.Now()), true, true
	}
	late := l.o.Clock != nil && p.Lease != 0 && l.o.Clock() > p.Lease+LeaseFor.Milliseconds()
	if !late {
		l.leaseBy = max(l.leaseBy, p.Lease)
	}
	if p.N == 0 {
		return "", nil, false
	}
	l.owes = cmp.Or(l.owes, time.Now())
	if p.N != l.got+1 || late {
		l.hurry = true
		l.gap = l.gap || p.N > l.got
		return "", nil, false
	}
	l.got++
	if p.More || l.part != nil {
		if l.part = append(l.part, p.Body...); len(l.part) > maxMessage {
			l.end(ErrTooLong)
			return "", nil, false
		}
	}
	if p.More {
		return "", nil, false
	}
	message, l.part = l.part, nil
	if message == nil {
		message = bytes.Clone(p.Body)
	}
	return p.Op, message, true
}

// run sends what is to be sent until the line is closed.
func (l *Line) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		packets, next := l.due()
		for _, d := range packets {
			first, may := l.noteLeaving(d)
			if !may {
				return
			}
			if l.o.Send(d.packet.Encode()) != nil && first {
				l.noteStayed(d.piece)
			}
		}
		timer.Reset(next)
		select {
		case <-l.wake:
		case <-timer.C:
		case <-l.done:
			return
		}
	}
}

// outgoing is a packet to be sent, with the piece that it carries, if any.
type outgoing struct {
	packet Packet
	piece  *piece
	leased time.Time
}

// noteLeaving notes, before it is so, that a copy of a piece leaves us, and says whether
// it is the first; who asks in between is told that it may have. It may not, when the line
// has ended.
func (l *Line) noteLeaving(d outgoing) (first, may bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || d.piece == nil {
		return false, !l.closed
	}
	first = !d.piece.left
	d.piece.left = true
	if d.leased.After(l.leased) {
		l.leased = d.leased
	}
	return first, true
}

func (l *Line) noteStayed(p *piece) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.left = false
}
