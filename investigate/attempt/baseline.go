package attempt

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/attempt/trial"
)

// runBaseline makes the check without any change, which all candidates are compared
// with. How it failed a while ago is taken for true, where all on which that depends is
// the same.
func (w *work) runBaseline(ctx context.Context, r *Result, limit time.Duration) error {
	about := baseline{problem: w.ID, sources: w.sources.Sum, environment: w.environment, calls: w.calls}
	if known := w.baselines.find(about, w.sums); known != nil {
		r.Before = known
		return nil
	}
	result, checked, err := w.runCheck(ctx, nil, nil, Check{Calls: w.calls}, limit)
	if err != nil {
		return err
	}
	r.Copied, r.took = result.Copied, result.Took
	if result.Error != nil {
		return cannotCheckError(result.Error)
	}
	r.Before = &checked.Failure
	if r.Before.isCut() {
		r.Warnings = append(r.Warnings, "the check without any change was "+r.Before.Message+", so that it is not known whether it fails: raise timeout_ms")
	}
	about.outside = outsideOf(result.Reads, w.sums)
	if !r.Before.Passed() && !checked.Late && about.outside != nil {
		about.failure = checked.Failure
		w.baselines.put(about)
	}
	return nil
}

// cannotCheckError is why the check itself cannot be made.
func cannotCheckError(p *trial.Problem) error {
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
	environment      string
	outside          *outsideFiles
	calls            bool // are among its places
	failure          Failure
	at               time.Time
}

// baselineCache holds the last baselines of this server.
type baselineCache struct {
	mu  sync.Mutex // guards all
	all []baseline
}

// How many are kept, and for how long: what the check finds in the network and in databases
// may change.
const (
	mostBaselines   = 16
	longestBaseline = 10 * time.Minute
)

func (bs *baselineCache) find(about baseline, s *fileDigests) *Failure {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.all = slices.DeleteFunc(bs.all, func(b baseline) bool { return time.Since(b.at) > longestBaseline })
	for _, b := range bs.all {
		if b.problem == about.problem && b.sources == about.sources && b.calls == about.calls && b.environment == about.environment && b.outside.isUnchanged(s) {
			known := b.failure
			return &known
		}
	}
	return nil
}

func (bs *baselineCache) put(b baseline) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	b.at = time.Now()
	bs.all = append(bs.all, b)
	bs.all = bs.all[max(0, len(bs.all)-mostBaselines):]
}

func (bs *baselineCache) forget(problem string) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.all = slices.DeleteFunc(bs.all, func(b baseline) bool { return b.problem == problem })
}
