package session

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/session/lifecycle"
)

// faulty is a dialect that panics where it is told to.
type faulty struct {
	fakeDialect
	stopped func()
}

func (d *faulty) Stopped(b godap.StoppedEventBody) adapters.Stop {
	d.stopped()
	stop := d.fakeDialect.Stopped(b)
	stop.Ask = true
	return stop
}

func (d *faulty) ReadStop(context.Context, adapters.Caller, adapters.Stop) adapters.Stop {
	panic("on purpose")
}

// A fault of ours ends the session in which it happens, releases what it holds,
// and says so; another session goes on.
func TestAPanicCostsItsSession(t *testing.T) {
	for name, panics := range map[string]func(){
		"in an event":           func() { panic("on purpose") },
		"deciding about a stop": func() {},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				d := &faulty{stopped: panics}
				f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Dialect, p.Capabilities.Stops.Read = d, d.ReadStop }}
				g := newRig(t, f, StartRequest{}).running()
				other, err := g.m.Open(StartRequest{Program: g.s.request.Program})
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				g.a = g.adapter.adapters[0]
				g.a.Event("stopped", godap.StoppedEventBody{Reason: "breakpoint", ThreadId: 1, AllThreadsStopped: true})
				time.Sleep(5 * time.Second)
				if st := g.s.State(); st.Status != Terminated {
					t.Fatalf("the session is %+v", st)
				}
				if st := g.s.State(); !strings.Contains(st.Note, "on purpose") {
					t.Errorf("its end says %q", st.Note)
				}
				if g.adapter.killed.Load() != 1 || g.adapter.closed.Load() != 1 {
					t.Errorf("killed %d times, plan closed %d times", g.adapter.killed.Load(), g.adapter.closed.Load())
				}
				if st := other.State(); st.Status != Running {
					t.Errorf("the other session is %+v", st)
				}
				if err := g.s.Restart(t.Context(), true); err != nil {
					t.Errorf("it cannot be started again: %v", err)
				}
				g.close()
			})
		})
	}
}

func TestAPanicDuringTheStart(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{planErr: func(context.Context) error { panic("on purpose") }}
		g := newRig(t, f, StartRequest{})
		_, err := g.s.WaitFirst(t.Context(), time.Second)
		wantCode(t, err, fault.Internal)
		g.close()
	})
}

// A panic while the state is changed leaves it usable.
func TestTheStateSurvivesAPanic(t *testing.T) {
	m := NewManager(Options{})
	s := newSession(m, nil, StartRequest{})
	err := s.recoverPanic("changing the state", func() error {
		s.change(func(*lifecycle.Machine) { panic("on purpose") })
		return nil
	})
	wantCode(t, err, fault.Internal)
	s.wake()
}
