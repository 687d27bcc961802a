package session

import (
	"testing"
	"testing/synctest"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// A pause waits until an adapter has told that the program runs, if it would be
// lost before.
func TestPauseHasToComeAfterContinued(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Quirks.LosesEarlyPauses = true }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		g.stopped("step")
		if err := g.s.Continue(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		go func() { _ = g.s.Pause(t.Context(), 0) }()
		synctest.Wait()
		if n := g.count("pause"); n != 0 {
			t.Errorf("%d pauses before the program runs", n)
		}
		g.a.Event("continued", godap.ContinuedEventBody{ThreadId: 1})
		synctest.Wait()
		if n := g.count("pause"); n != 1 {
			t.Errorf("%d pauses when it runs", n)
		}
	})
}

// A pause that the adapter has lost, because the program was not running yet, is asked
// for again; not once it has stopped.
func TestPauseThatIsLostIsAskedForAgain(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Quirks.LosesEarlyPauses = true }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		if err := g.s.Pause(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(firstInsist + time.Millisecond)
		synctest.Wait()
		if n := g.count("pause"); n != 2 {
			t.Errorf("%d pauses after %s without a stop", n, firstInsist)
		}
		g.stopped("pause")
		time.Sleep(lastInsist)
		synctest.Wait()
		if n := g.count("pause"); n != 2 {
			t.Errorf("%d pauses of a program that stands", n)
		}
	})
}
