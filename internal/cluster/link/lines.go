package link

import (
	"errors"
	"maps"

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

func (l *Link) enter(line string, s lineReceiver) {
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
	l.dropVisit(s)
	delete(l.lines, line)
}

// forgetVisit has nobody visit by a seat any more that is being given back.
func (l *Link) forgetVisit(s *seat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dropVisit(s)
}

// dropVisit is forgetVisit; mu is held.
func (l *Link) dropVisit(s *seat) {
	maps.DeleteFunc(l.visits, func(_ visitKey, v *seat) bool { return v == s })
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
