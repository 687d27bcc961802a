package attempt

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/fault"
	"aidb-mcp/investigate/attempt/trial"
)

// everyTrial answers all trials with the same.
type everyTrial trial.Result

func (s *everyTrial) Run(context.Context, trial.Place, *change.Change, any, time.Duration) (*trial.Result, error) {
	return (*trial.Result)(s), nil
}

// A trial whose time is over while it builds is no candidate that could not be tried, and
// what it has built is not said to be kept.
func TestTrialThatOnlyBuilds(t *testing.T) {
	late := &everyTrial{Answer: trial.Answer{Error: &trial.Problem{
		Code: "SESSION_START_FAILED", Message: "the time was over before the program ran", Hint: "what was built until now is kept", Field: "timeout_ms",
	}}}
	w := &work{Engine: New(Deps{Trials: late})}
	tried := &candidateTrial{}
	if err := w.runTrial(t.Context(), nil, tried, time.Minute); err != nil || tried.row.Result != attempts.TimedOut || strings.Contains(tried.row.Why, "kept") {
		t.Errorf("%v, and the row is %+v", err, tried.row)
	}
	var f *fault.Error
	if err := w.runBaseline(t.Context(), &Result{}, time.Minute); !errors.As(err, &f) || f.Field != "timeout_ms" || strings.Contains(f.Hint, "kept") {
		t.Errorf("without any change: %v, %+v", err, f)
	}
}
