package link

import (
	"errors"

	"github.com/nats-io/nats.go"

	"aidb-mcp/internal/cluster/span"
)

// send sends a packet to a machine. The error says that nothing has left us.
func (l *Link) send(at *machine, packet []byte) error {
	err := l.nc.PublishMsg(&nats.Msg{Subject: span.Down(at.name), Reply: l.reply, Data: packet})
	if errors.Is(err, nats.ErrReconnectBufExceeded) || errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) {
		return err
	}
	return nil // of any other error nobody knows
}

func (l *Link) enter(line string, s taker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[line] = s
}

func (l *Link) forget(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.lines, line)
}

func (l *Link) leave(s *seat, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.seats, s)
	for key, v := range l.visits {
		if v == s {
			delete(l.visits, key)
		}
	}
	delete(l.lines, line)
}

func (l *Link) lives(at *machine) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return at.lives()
}

func (l *Link) epochOf(at *machine) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return at.is.Epoch
}
