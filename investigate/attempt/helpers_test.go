package attempt

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"aidb-mcp/internal/changes/change"
	"aidb-mcp/investigate/attempt/trial"
	"aidb-mcp/investigate/spread"
)

// otherMachine is one that helps.
type otherMachine struct {
	before Checked // what the check does there without any change
	after  Checked
	goes   bool // after the first trial of a change
	ready  chan struct{}

	mu    sync.Mutex
	tried int
	aside string
}

func (o *otherMachine) Name() string  { return "two" }
func (o *otherMachine) Parallel() int { return 2 }

func (o *otherMachine) SetAside(why string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.aside = why
}

func (o *otherMachine) Aside() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.aside
}

func (o *otherMachine) Run(_ context.Context, _ trial.Place, made *change.Change, _ any, _ time.Duration) (*trial.Result, error) {
	checked := o.before
	if made != nil {
		checked = o.after
		o.mu.Lock()
		o.tried++
		if o.tried == 1 {
			close(o.ready)
		}
		goes := o.goes && o.tried > 1
		o.mu.Unlock()
		if goes {
			o.SetAside("it is gone")
			return nil, &spread.NotDone{Why: "it is gone"}
		}
	}
	text, err := json.Marshal(checked)
	return &trial.Result{Answer: trial.Answer{Checked: text}}, err
}

// slowBench makes no trial of a change before another machine has.
type slowBench struct {
	*bench
	ready <-chan struct{}
}

func (b slowBench) Run(ctx context.Context, at trial.Place, made *change.Change, check any, limit time.Duration) (*trial.Result, error) {
	if made != nil {
		<-b.ready
	}
	return b.bench.Run(ctx, at, made, check, limit)
}

// Another machine tries candidates if the check does there what it does here; what it leaves is tried
// here, and each is tried once. What it has found is not taken for true later.
func TestAnotherMachineHelps(t *testing.T) {
	for name, c := range map[string]struct {
		there func(b *bench) *otherMachine
		helps bool
		why   string
	}{
		"it does the same": {func(b *bench) *otherMachine { return &otherMachine{before: b.before, after: b.after} }, true, ""},
		"it goes":          {func(b *bench) *otherMachine { return &otherMachine{before: b.before, after: b.after, goes: true} }, true, "it is gone"},
		"it passes there": {
			func(b *bench) *otherMachine { return &otherMachine{before: b.after, after: b.after} }, false, "the check without any change does otherwise there: ok ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			two := c.there(b)
			two.ready = make(chan struct{})
			if !c.helps {
				close(two.ready)
			}
			b.engine.Trials = slowBench{b, two.ready}
			q := Question{
				Problem: b.problem(), Limit: time.Minute, Parallel: 1,
				Helpers: func() ([]Helper, string) { return []Helper{two}, "" },
			}
			for i := range 8 {
				q.Candidates = append(q.Candidates, Candidate{Edits: []Edit{{File: "a.py", Old: "x = 1", New: fmt.Sprint("x = ", i+2)}}})
			}
			r, err := b.engine.Try(t.Context(), q)
			if err != nil || len(r.Rows) != 8 || len(r.Helped) != 1 {
				t.Fatalf("%+v, %v", r, err)
			}
			here := 0
			for _, row := range r.Rows {
				if row.Result != "passed" {
					t.Errorf("%+v", row)
				}
				if row.Machine == "" {
					here++
				}
			}
			helped := r.Helped[0]
			if helped.Why != c.why || (helped.Tried > 0) != c.helps || helped.Tried+here != 8 {
				t.Errorf("%d were tried here, and there %+v", here, helped)
			}
			ran := len(slices.DeleteFunc(slices.Clone(b.ran), func(what string) bool { return what == "before" }))
			if ran != here+winnersRuns {
				t.Errorf("%d trials were made here for %d candidates", ran, here)
			}
			q.Helpers, b.ran = nil, nil
			if again, err := b.engine.Try(t.Context(), q); err != nil || len(b.ran)-helped.Tried < 0 || len(again.Rows) != 8 {
				t.Errorf("again: %+v, %v, ran %q", again, err, b.ran)
			}
			want := 0
			if helped.Tried > 0 {
				want = helped.Tried + winnersRuns
			}
			if tried := len(slices.DeleteFunc(b.ran, func(what string) bool { return what == "before" })); tried != want {
				t.Errorf("%d were tried again, of %d of which this machine knows nothing", tried, helped.Tried)
			}
		})
	}
}
