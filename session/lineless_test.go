package session

import (
	"context"
	"testing"
	"time"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/dap/daptest"
)

// linelessFinder finds the first instructions at which a thread is paused to be of no line.
type linelessFinder struct {
	first, asked int
}

func (d *linelessFinder) Lineless(_ context.Context, _ adapters.Caller, _ int, top godap.StackFrame) bool {
	d.asked++
	return top.Name == "main.main" && d.asked <= d.first
}

// A pause at an instruction that was made from no line is taken again. Where it
// always is one, the function is told without the line that the adapter names.
func TestPauseWithoutALine(t *testing.T) {
	for name, c := range map[string]struct{ first, again, line int }{
		"never":    {0, 0, 3},
		"at first": {3, 3, 3},
		"always":   {1000, maxPauses, 0},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T) {
				d := &linelessFinder{first: c.first}
				g := newRig(t, &fakeAdapter{plan: func(p *adapters.Plan) { p.Capabilities.Stops.Lineless = d.Lineless }}, StartRequest{}).running()
				defer g.close()
				var asked []time.Time
				g.a.Handle("pause", func(r *daptest.Request) {
					asked = append(asked, time.Now())
					r.Reply(nil)
					g.a.Event("stopped", godap.StoppedEventBody{Reason: "pause", ThreadId: 1})
				})
				for range 2 { // the second has as many tries as the first
					d.asked, asked = 0, nil
					continues, pauses := g.count("continue"), g.count("pause")
					if err := g.s.Pause(t.Context(), 0); err != nil {
						t.Fatal(err)
					}
					if st, err := g.s.Wait(t.Context(), long); err != nil || st.Status != Paused {
						t.Fatalf("%+v, error %v", st, err)
					}
					if n, m := g.count("continue")-continues, g.count("pause")-pauses-1; n != c.again || m != c.again {
						t.Errorf("%d continues and %d further pauses, want %d", n, m, c.again)
					}
					if last := len(asked) - 1; c.again == maxPauses && asked[last].Sub(asked[last-1]) < 5*asked[1].Sub(asked[0]) {
						t.Errorf("pauses at %v: the program had no more time before the last than after the first", asked)
					}
					v, err := g.s.View(t.Context())
					if err != nil || v.Frame == nil || v.Frame.Function != "main.main" || v.Frame.Line != c.line {
						t.Errorf("%+v, error %v, want line %d", v, err, c.line)
					}
					if err := g.s.Continue(t.Context(), 0); err != nil {
						t.Fatal(err)
					}
				}
			})
		})
	}
}
