package spread

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// made notes runs by machine; here is "".
type made struct {
	mu   sync.Mutex
	runs map[string]int
}

func (m *made) note(where string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.runs == nil {
		m.runs = map[string]int{}
	}
	m.runs[where] += n
}

func (m *made) of(where string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.runs[where]
}

func teamOf(names ...string) *Team {
	t := &Team{}
	for _, name := range names {
		t.Machines = append(t.Machines, &Machine{Name: name, team: t})
	}
	return t
}

// search makes runs of which none here fails; there says what comes of those of a machine.
func searchOf(m *made, most int, there func(m *Machine, n int, isFirst bool) (Batch, error)) Runs {
	return Runs{
		Most: most, Over: time.Now().Add(time.Minute),
		Here: func(_ context.Context, n int) (Batch, error) {
			m.note("", n)
			return Batch{Made: n}, nil
		},
		There: func(_ context.Context, at *Machine, n int, isFirst bool) (Batch, error) { return there(at, n, isFirst) },
	}
}

// Each run is made once, wherever it is made.
func TestEachRunIsMadeOnce(t *testing.T) {
	m := &made{}
	found, err := searchOf(m, 1000, func(at *Machine, n int, _ bool) (Batch, error) {
		m.note(at.Name, n)
		return Batch{Made: n}, nil
	}).Until(t.Context(), teamOf("a", "b"))
	if err != nil || found.Made() != 1000 || found.Failed() != 0 || found.FirstElsewhere() != nil || m.of("")+m.of("a")+m.of("b") != 1000 {
		t.Errorf("%d made of %v, %v", found.Made(), m.runs, err)
	}
}

// What a machine has not done is done here, and does not count as its.
func TestAMachineThatGoes(t *testing.T) {
	m := &made{}
	found, err := searchOf(m, 50, func(at *Machine, n int, isFirst bool) (Batch, error) {
		if isFirst {
			return Batch{Made: n}, nil
		}
		return Batch{}, &NotDone{"it is gone"}
	}).Until(t.Context(), teamOf("a"))
	if err != nil || found.Made() != 50 || found.There[0].Made > 1 || m.of("")+found.There[0].Made != 50 {
		t.Errorf("%d made, %d there, %d here, %v", found.Made(), found.There[0].Made, m.of(""), err)
	}
}

// Where runs fail each time they prove nothing, and all are made elsewhere.
func TestAStrangeMachine(t *testing.T) {
	m := &made{}
	team := teamOf("a")
	begun := make(chan struct{})
	r := searchOf(m, 20, func(*Machine, int, bool) (Batch, error) {
		close(begun)
		return Batch{Made: 2, Failed: 2, Strange: "it fails each time there"}, nil
	})
	here := r.Here
	r.Here = func(ctx context.Context, n int) (Batch, error) {
		<-begun
		return here(ctx, n)
	}
	found, err := r.Until(t.Context(), team)
	if err != nil || found.Made() != 20 || found.Failed() != 0 || m.of("") != 20 || team.Machines[0].Aside() == "" {
		t.Errorf("%d made, %d failed, %d here, %v", found.Made(), found.Failed(), m.of(""), err)
	}
}

// After a failure no more runs begin; what was under way elsewhere counts, by its own number.
func TestFailuresAtOnce(t *testing.T) {
	here, elsewhere := make(chan struct{}), make(chan struct{}) // closed when each has its number
	r := Runs{
		Most: 1000, Over: time.Now().Add(time.Minute),
		Here: func(ctx context.Context, n int) (Batch, error) {
			close(here)
			select {
			case <-elsewhere:
			case <-ctx.Done():
			}
			return Batch{Made: n, Failed: 1, What: "here"}, nil
		},
		There: func(_ context.Context, _ *Machine, n int, _ bool) (Batch, error) {
			close(elsewhere)
			<-here
			return Batch{Made: n, Failed: 1, What: "there"}, nil
		},
	}
	found, err := r.Until(t.Context(), teamOf("a"))
	there := found.FirstElsewhere()
	if err != nil || found.Made() != 2 || found.Failed() != 2 || there == nil || there.First+found.Here.First != 3 {
		t.Errorf("%+v, there %+v, %v", found, there, err)
	}
}

// Whoever asks and gives up has no runs made any more.
func TestRunsAreGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := Runs{
		Most: 10, Over: time.Now().Add(time.Minute),
		Here: func(ctx context.Context, _ int) (Batch, error) {
			cancel()
			return Batch{}, context.Cause(ctx)
		},
		There: func(ctx context.Context, _ *Machine, _ int, _ bool) (Batch, error) {
			<-ctx.Done()
			return Batch{}, context.Cause(ctx)
		},
	}
	if _, err := r.Until(ctx, teamOf("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
