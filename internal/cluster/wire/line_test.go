package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// carrier is a bad one between two ends, in the time of a bubble.
type carrier struct {
	mu     sync.Mutex
	random *rand.Rand
	lose   float64
	double float64
	delay  time.Duration // at most
	cut    bool          // what is sent is lost
	hold   []func()      // what is sent waits, nil: it does not
	holds  bool
	down   bool // sending fails
}

var errDown = errors.New("the connection is down")

func (c *carrier) to(end func() *Line) func([]byte) error {
	return func(packet []byte) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.down {
			return errDown
		}
		copies := 1
		if c.random.Float64() < c.double {
			copies = 2
		}
		packet = bytes.Clone(packet)
		for range copies {
			deliver := func() {
				p, err := Decode(packet)
				if err != nil {
					panic(err)
				}
				end().Take(p)
			}
			switch {
			case c.cut || c.random.Float64() < c.lose:
			case c.holds:
				c.hold = append(c.hold, deliver)
			case c.delay == 0:
				go deliver()
			default:
				time.AfterFunc(time.Duration(c.random.Int64N(int64(c.delay))), deliver)
			}
		}
		return nil
	}
}

func (c *carrier) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// release delivers what was held, late.
func (c *carrier) release() {
	c.mu.Lock()
	held := c.hold
	c.hold, c.holds = nil, false
	c.mu.Unlock()
	for _, deliver := range held {
		deliver()
	}
}

// pair is a near end with patience and a far one with a clock, which tells the near
// one each second that it lives.
type pair struct {
	down, up  *carrier
	near, far *Line
	skew      time.Duration

	mu        sync.Mutex
	delivered []string // at the far end
	when      []time.Time
	answered  []string // at the near end
	ended     error
	endedAt   time.Time
	heard     int64
	heardAt   time.Time
	stop      chan struct{}
}

func newPair(t *testing.T, seed uint64) *pair {
	p := &pair{
		down: &carrier{random: rand.New(rand.NewPCG(seed, 1))}, up: &carrier{random: rand.New(rand.NewPCG(seed, 2))},
		skew: time.Minute, stop: make(chan struct{}),
	}
	clock := func() int64 { return time.Now().Add(p.skew).UnixMilli() }
	p.heard, p.heardAt = clock(), time.Now()
	p.near = New(Options{
		Name: "one", Send: p.down.to(func() *Line { return p.far }),
		Deliver: func(_ string, body []byte) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.answered = append(p.answered, string(body))
		},
		Heard: func() (int64, time.Time) {
			p.mu.Lock()
			defer p.mu.Unlock()
			return p.heard, p.heardAt
		},
		Ended: func(err error) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.ended, p.endedAt = err, time.Now()
		},
	})
	p.far = New(Options{
		Name: "one", Send: p.up.to(func() *Line { return p.near }), Clock: clock,
		Deliver: func(_ string, body []byte) {
			p.mu.Lock()
			p.delivered = append(p.delivered, string(body))
			p.when = append(p.when, time.Now())
			p.mu.Unlock()
			p.far.Say("answer", append([]byte("to "), body...))
		},
	})
	go p.live(clock)
	return p
}

// live tells the near end each second that the far end lives.
func (p *pair) live(clock func() int64) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
		}
		p.up.mu.Lock()
		away := p.up.cut || p.up.down
		p.up.mu.Unlock()
		if !away {
			p.mu.Lock()
			p.heard, p.heardAt = clock(), time.Now()
			p.mu.Unlock()
		}
	}
}

func (p *pair) close() {
	close(p.stop)
	p.near.Close()
	p.far.Close()
}

// wait lets time pass.
func wait(d time.Duration) { <-time.After(d) }

func numbered(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint("message ", i))
	}
	return all
}

// Over a carrier that loses, doubles, delays and reorders, everything comes both ways:
// once, whole and in order.
func TestEverythingComesOnceAndInOrder(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(t, seed)
			defer p.close()
			for _, c := range []*carrier{p.down, p.up} {
				c.lose, c.double, c.delay = 0.3, 0.3, 300*time.Millisecond
			}
			want := numbered(60)
			for _, m := range want {
				p.near.Say("ask", []byte(m))
				wait(50 * time.Millisecond)
			}
			wait(2 * time.Minute)
			p.mu.Lock()
			defer p.mu.Unlock()
			if p.ended != nil || !slices.Equal(p.delivered, want) || len(p.answered) != len(want) {
				t.Fatalf("seed %d: %v, %d came there: %q, %d answers", seed, p.ended, len(p.delivered), p.delivered, len(p.answered))
			}
			for i, a := range p.answered {
				if a != "to "+want[i] {
					t.Fatalf("seed %d: answer %d is %q", seed, i, a)
				}
			}
		})
	}
}

// Messages that are much longer than a piece come whole, empty ones too.
func TestLongMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 1)
		defer p.close()
		p.down.lose, p.up.lose, p.down.delay = 0.1, 0.1, 20*time.Millisecond
		want := []string{"", string(bytes.Repeat([]byte("0123456789"), 1<<20)), "end", string(make([]byte, PieceSize)), string(make([]byte, PieceSize+1))}
		for _, m := range want {
			p.near.Say("ask", []byte(m))
		}
		wait(2 * time.Minute)
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.ended != nil || !slices.Equal(p.delivered, want) || len(p.answered) != len(want) {
			t.Fatalf("%v: %d of %d came", p.ended, len(p.delivered), len(want))
		}
	})
}

// Cuts of every length, of both ways and of one: what is given up is given up within
// patience, what was unsent or given up before never comes later, and every message
// is delivered, or told to be unknown.
func TestCuts(t *testing.T) {
	for _, way := range []string{"both", "down", "up", "held", "refused"} {
		for cut := time.Duration(0); cut <= 15*time.Second; cut += 500 * time.Millisecond {
			t.Run(fmt.Sprint(way, " ", cut), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { testCut(t, way, cut) })
			})
		}
	}
}

func testCut(t *testing.T, way string, cut time.Duration) {
	p := newPair(t, uint64(cut))
	defer p.close()
	p.down.delay, p.up.delay = 5*time.Millisecond, 5*time.Millisecond
	set := func(on bool) {
		p.down.set(func() {
			p.down.cut = on && (way == "both" || way == "down")
			p.down.holds = on && way == "held"
			p.down.down = on && way == "refused"
		})
		p.up.set(func() { p.up.cut = on && (way == "both" || way == "up") })
	}
	p.near.Say("ask", []byte("before"))
	wait(1700 * time.Millisecond)
	set(true)
	begun := time.Now()
	last := p.near.Say("ask", []byte("within"))
	wait(cut)
	set(false)
	p.down.release() // what waited on the way comes all the same
	wait(20 * time.Second)

	p.mu.Lock()
	defer p.mu.Unlock()
	came := slices.Contains(p.delivered, "within")
	state := p.near.State(last)
	switch {
	case p.ended == nil && (!came || len(p.answered) != 2):
		t.Errorf("it is neither delivered nor given up: %q, %q", p.delivered, p.answered)
	case p.ended != nil && came && state == Unsent:
		t.Error("it was said not to have left, and has come")
	case p.ended != nil && came && p.when[slices.Index(p.delivered, "within")].After(p.endedAt):
		t.Error("it has come after it was given up")
	case p.ended != nil && p.endedAt.Sub(begun) > 6500*time.Millisecond:
		t.Errorf("it was given up after %s", p.endedAt.Sub(begun))
	case p.ended != nil && cut < 4*time.Second:
		t.Errorf("a cut of %s was not outlived: %v", cut, p.ended)
	case p.ended == nil && cut > 7*time.Second && way != "up":
		t.Error("a long cut was not noticed")
	}
	if len(p.delivered) > 2 {
		t.Errorf("delivered: %q", p.delivered)
	}
}

// What a closed line was told stays where it is.
func TestClosedLineDeliversNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, 1)
		defer close(p.stop)
		p.down.set(func() { p.down.holds = true })
		p.near.Say("ask", []byte("late"))
		synctest.Wait()
		p.near.Close()
		p.far.Close()
		p.down.release()
		wait(time.Second)
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.delivered) > 0 || p.ended != nil {
			t.Errorf("%q, %v", p.delivered, p.ended)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(Packet{Line: "x", N: 3, Op: "ask", Body: []byte("{}\n{}")}.Encode())
	f.Add([]byte("{}\n"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Decode(text)
		if err != nil {
			return
		}
		q, err := Decode(p.Encode())
		if err != nil || q.Line != p.Line || q.N != p.N || !bytes.Equal(q.Body, p.Body) {
			t.Errorf("%+v, %+v, %v", p, q, err)
		}
	})
}
