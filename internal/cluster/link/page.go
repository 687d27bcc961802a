package link

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"time"

	"aidb-mcp/internal/cluster/span"
	"aidb-mcp/internal/cluster/tunnel"
	"aidb-mcp/internal/cluster/wire"
)

// ErrNoPage says that no machine has the page.
var ErrNoPage = errors.New("there is no such page")

// pageFor is how long a machine may take to connect to a page.
const pageFor = 6 * time.Second

// pageVisit is a connection to a page on a machine.
type pageVisit struct {
	*tunnel.Conn
	line   *wire.Line
	opened chan span.PageOpened
	none   chan struct{}
}

func (v *pageVisit) take(p wire.Packet) {
	if p.None {
		v.Fail(ErrNoPage)
		select {
		case v.none <- struct{}{}:
		default:
		}
		return
	}
	v.line.Take(p)
}

// Page connects to the page of a worker, and says whose it is. The id names its machine.
func (l *Link) Page(ctx context.Context, id string) (conn net.Conn, principal string, err error) {
	at := l.named(span.MachineOfPage(id))
	if at == nil || !l.lives(at) {
		return nil, "", ErrNoPage
	}
	name := rand.Text()
	v := &pageVisit{opened: make(chan span.PageOpened, 1), none: make(chan struct{}, 1)}
	over := make(chan struct{})
	v.Conn = tunnel.New(func() {
		close(over)
		l.forget(name)
	})
	v.line = wire.New(wire.Options{
		Name: name, Send: func(packet []byte) error { return l.send(at, packet) },
		Deliver: func(op string, body []byte) {
			if op != span.OpOpened {
				v.Hear(op, body)
				return
			}
			var is span.PageOpened
			if json.Unmarshal(body, &is) == nil {
				select {
				case v.opened <- is:
				default:
				}
			}
		},
		Heard: func() (int64, time.Time) { return l.heard(at) },
		Ended: v.Fail,
	})
	v.Over(v.line)
	l.enter(name, v)
	v.line.Say(span.OpPage, span.Marshal(span.PageOpening{Page: id}))
	go v.keep(l, at, over)
	timer := time.NewTimer(pageFor)
	defer timer.Stop()
	select {
	case is := <-v.opened:
		return v, is.Principal, nil
	case <-v.none:
		err = ErrNoPage
	case <-timer.C:
		err = errors.New("the machine of the page does not answer")
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	v.Close()
	return nil, "", err
}

// keep keeps the connection alive for the machine, and ends it when the machine or this gateway
// has ended.
func (v *pageVisit) keep(l *Link, at *machine, over <-chan struct{}) {
	tick := time.NewTicker(touchEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-over:
			return
		case <-l.stop:
			v.Close()
			return
		case <-tick.C:
		}
		if n%int(keepEvery/touchEvery) == 0 {
			v.line.Touch()
		}
		l.mu.Lock()
		gone := at.gone || l.machines[at.name] != at
		l.mu.Unlock()
		if gone {
			v.Fail(ErrNoPage)
			v.Close()
		}
	}
}

// Page connects to the page of a worker of any tenant. The visitor's tenant is not asked for: the id
// cannot be guessed, so that only those know it who were given the page's address.
func (t *Tenants) Page(ctx context.Context, id string) (conn net.Conn, principal string, err error) {
	var of *Link
	for _, l := range t.all() {
		if !l.knows(span.MachineOfPage(id)) {
			continue
		}
		if of != nil { // a machine claims to be another tenant's: nobody is brought to either
			return nil, "", ErrNoPage
		}
		of = l
	}
	if of == nil {
		return nil, "", ErrNoPage
	}
	return of.Page(ctx, id)
}

func (l *Link) knows(handles string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byHandles(handles) != nil
}
