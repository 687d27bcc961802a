package repeated

import (
	"context"
	"encoding/json"
	"time"

	"aidb-mcp/investigate/diagnose"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// Ask is what a machine is asked: runs until one fails.
type Ask struct {
	Start   json.RawMessage `json:"start"`
	Runs    int             `json:"runs"`
	Limit   time.Duration   `json:"limit"`
	Strict  bool            `json:"strict,omitempty"`
	IsFirst bool            `json:"is_first,omitempty"` // if it fails, it is made once more
}

// Done is what came of them.
type Done struct {
	Made    int      `json:"made"`
	Failed  int      `json:"failed"`
	Unready string   `json:"unready,omitempty"` // why the program does not run there
	Failure *Failure `json:"failure,omitempty"`
}

// Teller tells what came of a run.
type Teller interface {
	Outcome(r *diagnose.Result) string
	Failure(r *diagnose.Result) *Failure
}

// Do makes the runs that are asked for, one after the other.
func (a Ask) Do(ctx context.Context, host diagnose.Host, request session.StartRequest, tell Teller) (Done, error) {
	q := diagnose.Question{Request: request, Over: time.Now().Add(a.Limit), Repeat: a.Runs, Calls: true, Leftover: true, Strict: a.Strict}
	r, err := diagnose.Run(ctx, host, q)
	if err != nil {
		return Done{}, err
	}
	done := Done{Made: r.Runs.Made, Failed: r.Runs.Failed}
	switch r.Verdict {
	case judge.OK:
		return done, nil
	case judge.BuildFailed, judge.NoTestRan, judge.Input:
		return Done{Unready: "it does not run there: " + tell.Outcome(r)}, nil
	case judge.Cut: // it was not seen to its end
		done.Made, done.Failed = done.Made-1, 0
		return done, nil
	}
	isOnlyRun := r.Runs.Made == 1
	done.Failure = tell.Failure(r)
	if a.IsFirst && isOnlyRun && time.Until(q.Over) > leastRun {
		q.Repeat, q.Calls = 1, false
		if again, err := diagnose.Run(ctx, host, q); err == nil && again.Verdict != judge.Cut {
			done.Made, done.Failed = done.Made+1, done.Failed+again.Runs.Failed
		}
	}
	return done, nil
}
