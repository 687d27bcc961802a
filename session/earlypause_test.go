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
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Stops.ConfirmsResumes = true }}
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
	for _, stops := range []adapters.Stops{{LosesEarlyPauses: true}, {LosesEarlyPauses: true, ConfirmsResumes: true}} {
		in(t, func(t *testing.T) { pauseIsRepeated(t, stops) })
	}
}

func pauseIsRepeated(t *testing.T, stops adapters.Stops) {
	f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Stops = stops }}
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
}

// What a pause finds is a pause, also where the debugger itself had stopped the program
// for a moment: at a breakpoint of its own, or in a step across that.
func TestAPauseWhereTheDebuggerIsAtWork(t *testing.T) {
	for name, stop := range map[string]adapters.Stop{
		"its own breakpoint": {Reason: "breakpoint", Hit: []int{-1}, Internal: true},
		"a step across that": {Reason: "step"},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				stop.ThreadID, stop.HasThread = 1, true
				f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Dialect = fixedStop{p.Dialect, stop} }}
				g := newRig(t, f, StartRequest{}).running()
				defer g.close()
				if err := g.s.Pause(t.Context(), 0); err != nil {
					t.Fatal(err)
				}
				g.a.Event("stopped", godap.StoppedEventBody{Reason: stop.Reason, ThreadId: 1})
				synctest.Wait()
				if st := g.s.State(); st.Status != Paused {
					t.Errorf("state %+v", st)
				}
			})
		})
	}
}

// fixedStop is a dialect that reads every stopped event as the same stop.
type fixedStop struct {
	adapters.Dialect
	stop adapters.Stop
}

func (d fixedStop) Stopped(godap.StoppedEventBody) adapters.Stop { return d.stop }

// An adapter that may never answer while it starts the program is asked for nothing
// until it has told of the process.
func TestPauseHasToComeAfterTheProcess(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Start.IgnoresRequestsUntilProcess = true }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		go func() { _ = g.s.Pause(t.Context(), 0) }()
		synctest.Wait()
		if n := g.count("pause") + g.count("threads"); n != 0 {
			t.Errorf("%d requests before the process", n)
		}
		g.a.Event("process", godap.ProcessEventBody{Name: "app", SystemProcessId: 1})
		synctest.Wait()
		if n := g.count("pause"); n != 1 {
			t.Errorf("%d pauses when there is a process", n)
		}
	})
}

// Until such an adapter has told of the process, the program is not said to run.
func TestRunningIsSaidAfterTheProcess(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Start.IgnoresRequestsUntilProcess = true }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		time.Sleep(time.Second)
		if st := g.s.State(); st.Status != Starting || st.Doing != "starting the program" || st.Running < time.Second {
			t.Errorf("before the process: %+v", st)
		}
		g.a.Event("process", godap.ProcessEventBody{Name: "app", SystemProcessId: 1})
		synctest.Wait()
		if st := g.s.State(); st.Status != Running || st.Running != 0 {
			t.Errorf("when there is a process: %+v", st)
		}
	})
}

// One that never tells of it is believed after a while.
func TestRunningIsSaidWithoutAProcess(t *testing.T) {
	in(t, func(t *testing.T) {
		f := &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Start.IgnoresRequestsUntilProcess = true }}
		g := newRig(t, f, StartRequest{}).running()
		defer g.close()
		time.Sleep(g.s.limits.Request + time.Second)
		if st := g.s.State(); st.Status != Running {
			t.Errorf("status %s", st.Status)
		}
	})
}
