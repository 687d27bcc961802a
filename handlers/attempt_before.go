package handlers

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/trial"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/responses"
)

// baseline is the check without any change: what all candidates are held against. How it
// failed a while ago, in the same sources, it fails still.
func (m *matter) baseline(ctx context.Context, data *responses.Attempts, limit time.Duration) error {
	about := baseline{problem: m.problem, sources: m.sources.Sum, calls: m.calls}
	if card := m.h.baselines.find(about); card != nil {
		data.Before = card
		return nil
	}
	result, checked, err := m.checked(ctx, nil, Check{Calls: m.calls}, limit)
	if err != nil {
		return err
	}
	data.Workspace = result.Copied
	if result.Error != nil {
		return m.unable(result.Error)
	}
	card := checked.FailureCard
	data.Before = &card
	if card.Verdict != string(judge.OK) && !checked.Late {
		about.card = card
		m.h.baselines.put(about)
	}
	return nil
}

// unable is why the check itself cannot be made.
func (m *matter) unable(p *trial.Problem) error {
	err := fault.New(fault.Code(strings.TrimPrefix(p.Code, "AIDB_")), "the check cannot be made: %s", p.Message).WithHint("%s", p.Hint)
	if p.Code == "" {
		err.Code = fault.Internal
	}
	if p.Field == untimely {
		return err.WithField(untimely).WithHint(moreTime)
	}
	return err.WithField("check")
}

// What is said of a trial whose time was over before the program ran. What it has built
// is gone with its box.
const (
	untimely = "timeout_ms"
	moreTime = "raise timeout_ms; what stands built in the workspace is not built again in a trial"
)

// baseline is how a check failed in sources without any change.
type baseline struct {
	problem, sources string
	calls            bool // are on its card
	card             responses.FailureCard
	at               time.Time
}

// baselines are the last ones of this server.
type baselines struct {
	mu  sync.Mutex // guards all
	all []baseline
}

// How many are kept, and for how long: what the check finds outside of the workspace may
// change.
const (
	mostBaselines   = 16
	longestBaseline = 10 * time.Minute
)

func (bs *baselines) find(about baseline) *responses.FailureCard {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.all = slices.DeleteFunc(bs.all, func(b baseline) bool { return time.Since(b.at) > longestBaseline })
	for _, b := range bs.all {
		if b.problem == about.problem && b.sources == about.sources && b.calls == about.calls {
			card := b.card
			return &card
		}
	}
	return nil
}

func (bs *baselines) put(b baseline) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.at = time.Now()
	bs.all = append(bs.all, b)
	bs.all = bs.all[max(0, len(bs.all)-mostBaselines):]
}

func (bs *baselines) forget(problem string) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.all = slices.DeleteFunc(bs.all, func(b baseline) bool { return b.problem == problem })
}
