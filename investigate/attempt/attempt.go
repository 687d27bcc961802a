// Package attempt tries remedies: a question names a check in a workspace and changes that
// may mend it, and the result says what came of each. Every change is tried in a workspace
// of its own, by another process; what was tried is remembered.
//
// The package knows neither how a check is made nor how a result is told.
package attempt

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"aidb-mcp/internal/changes/attempts"
	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/internal/policy"
	"aidb-mcp/internal/project/workspace"
	"aidb-mcp/internal/text/secret"
	"aidb-mcp/investigate/attempt/trial"
)

// Trials try a change in a workspace of its own.
type Trials interface {
	Run(ctx context.Context, at trial.Place, made *change.Change, check any, limit time.Duration) (*trial.Result, error)
}

// Helper is another machine that tries changes of the same workspace. An error of its trials is a
// *spread.NotDone, with which it is set aside: nothing of the trial counts.
type Helper interface {
	Trials
	Name() string
	// Parallel is how many trials it makes at once; it is known after the first.
	Parallel() int
	SetAside(why string)
	Aside() string // why it is asked no more; empty: it is
}

// Deps is what an engine works with.
type Deps struct {
	Trials Trials
	Memory attempts.Memory
	Policy policy.Policy
	Mask   *secret.Masker      // of what a model is shown; nil shows it
	Known  workspace.Languages // whose files count as sources
}

// Engine tries remedies for one server. Its methods may be called from any goroutine.
type Engine struct {
	Deps
	baselines baselineCache // how checks failed that attempts are about
	proposals pendingProposals
}

// New makes an engine.
func New(d Deps) *Engine { return &Engine{Deps: d} }

// Problem is what is worked on: a check in a workspace.
type Problem struct {
	ID        string          // its name in the memory
	Workspace string          // absolute
	Start     json.RawMessage // the check, as arguments of session_start
	// Latest is the check as it may be shown, where nobody has named it: it is the one that
	// was worked on last.
	Latest json.RawMessage
}

// Question is what is to be tried against a problem.
type Question struct {
	Problem
	Candidates []Candidate
	Parallel   int           // how many trials at once; 0: as many as there are cores
	Limit      time.Duration // of all trials together
	// Helpers finds other machines, where there is more to try than can be at once. Why is what kept
	// them from being asked. Nil: there are none.
	Helpers func() (helpers []Helper, why string)
	Client  client.Client // who waits, and whose model is asked
	Rounds  int           // of proposals
	Tokens  int           // that proposals may cost
	// Progress tells who waits what is done; nil tells nobody.
	Progress func(doing string, done, total float64)
}

// work is one question being answered.
type work struct {
	*Engine
	Question
	sources     workspace.Sources // as they were when the question came
	environment string            // digest of the server's
	sums        *fileDigests      // of files outside, as they were then
	begun       time.Time
	calls       bool // of the failure are wanted, for a model that has not seen the code
}

// begin reads the sources as they are.
func (e *Engine) begin(ctx context.Context, q Question) *work {
	return &work{
		Engine: e, Question: q, begun: time.Now(),
		sources: e.Known.ReadSources(ctx, q.Workspace), environment: environmentDigest(os.Environ()), sums: newSums(),
	}
}

func (w *work) report(doing string, done, total float64) {
	if w.Progress != nil {
		w.Progress(doing, done, total)
	}
}
