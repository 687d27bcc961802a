package wire

import "time"

// rest is how long a line that has nothing to do sleeps.
const rest = time.Hour

// due is what is to be sent now, and when to look again.
func (l *Line) due() (packets []outgoing, next time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, rest
	}
	now := time.Now()
	lease, leased := l.lease()
	next = rest
	if len(l.queue) > 0 {
		if next = l.giveUp(now); l.closed {
			return nil, rest
		}
	}
	size, holds := 0, l.holds(now)
	for i, p := range l.queue {
		if size += len(p.packet.Body); i > 0 && (size > window || holds) {
			break
		}
		again := i == 0 && !p.sent.IsZero() && now.Sub(later(p.sent, l.moved)) >= retryAfter(p.copies)
		if p.sent.IsZero() || again && (l.o.Heard == nil || p.copies < maxCopies) {
			if p.sent = now; p.first.IsZero() {
				p.first = now
			}
			p.copies++
			packets = append(packets, l.outgoing(p, lease, leased, again))
		}
	}
	packets, next = l.askAgain(packets, next, now)
	if wait, owes := l.acknowledge(now); owes && wait <= 0 && len(packets) == 0 {
		word := Packet{Line: l.o.Name}
		if len(l.queue) == 0 { // while something is unconfirmed, what waits there may have to be given up soon
			word.Lease = lease
		}
		packets = append(packets, outgoing{packet: word})
	} else if owes && wait > 0 {
		next = min(next, wait)
	}
	if len(packets) > 0 { // what has come is told with the first
		packets[0].packet.Ack, packets[0].packet.Gap = l.got, l.gap
		l.owes, l.hurry, l.gap = time.Time{}, false, false
		for i := range packets[1:] {
			packets[i+1].packet.Ack = l.got
		}
	}
	return packets, max(next, time.Millisecond)
}

func (l *Line) lease() (int64, time.Time) {
	if l.o.Heard == nil {
		return 0, time.Time{}
	}
	return l.o.Heard()
}

// outgoing is a copy of a piece; mu is held. Its lease counts from the moment of the
// word that it names, which is before the copy leaves.
func (l *Line) outgoing(p *piece, lease int64, leased time.Time, ask bool) outgoing {
	packet := p.packet
	packet.Lease, packet.Ask = lease, ask
	return outgoing{packet, p, leased}
}

// retryAfter is how long an answer may take to so many copies.
func retryAfter(copies int) time.Duration {
	return min(lastRetry, firstRetry<<max(0, min(copies-1, 4)))
}

// askAgain asks what has come, where no more copies may be sent, and says when the next
// copy or question is due; mu is held.
func (l *Line) askAgain(packets []outgoing, next time.Duration, now time.Time) ([]outgoing, time.Duration) {
	if len(l.queue) == 0 {
		return packets, next
	}
	p := l.queue[0]
	if l.o.Heard == nil || p.copies < maxCopies {
		return packets, min(next, retryAfter(p.copies)-now.Sub(later(p.sent, l.moved)))
	}
	if wait := firstRetry*2 - now.Sub(l.asked); wait > 0 {
		return packets, min(next, wait)
	}
	l.asked = now
	if now.Sub(p.sent) < firstRetry { // the last copy is a question already
		return packets, min(next, firstRetry*2)
	}
	return append(packets, outgoing{packet: Packet{Line: l.o.Name, Ask: true}}), min(next, firstRetry*2)
}

// holds says that only the oldest piece may be sent: it has waited so long for a word that
// the others may have to be given up with it, and what is under way then can be taken
// until its lease is over; mu is held.
func (l *Line) holds(now time.Time) bool {
	return l.o.Heard != nil && len(l.queue) > 0 && !l.queue[0].first.IsZero() && now.Sub(later(l.queue[0].first, l.moved)) > holdAfter
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// giveUp ends the line when the oldest piece has waited too long and no piece can be taken
// any more by any copy that is under way, and says how long that is from now; mu is held.
func (l *Line) giveUp(now time.Time) time.Duration {
	if l.o.Heard == nil {
		return rest
	}
	p := l.queue[0]
	from := later(p.made, l.moved)
	if p.left {
		from = later(from, l.leased)
	}
	left := from.Add(Patience).Sub(now)
	if left <= 0 {
		l.end(ErrUnheard)
	}
	return left
}

// acknowledge says whether the other end is owed a word of what has come, and when
// it is due; mu is held.
func (l *Line) acknowledge(now time.Time) (wait time.Duration, owes bool) {
	if l.owes.IsZero() {
		return 0, false
	}
	if l.hurry {
		return 0, true
	}
	return ackDelay - now.Sub(l.owes), true
}
