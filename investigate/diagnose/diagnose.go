// Package diagnose runs a program until it fails, and finds what went wrong.
//
// It knows sessions and what they show, and nothing of replies, of MCP, or of any
// language: what a language's failures look like is told by its adapter.
package diagnose

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/investigate/diagnose/judge"
	"aidb-mcp/session"
)

// Question is what is to be diagnosed.
type Question struct {
	Request  session.StartRequest
	Over     time.Time     // when there must be a result
	Repeat   int           // how many runs are made at most until one fails; 0 is 1
	Seed     uint16        // of the first run, as Result.Seed has it; 0: a new one
	Keep     bool          // the session of a failure stands when there is a result
	Calls    bool          // that led to the failure are asked for, which may take a run of their own
	Leftover bool          // what was left running is asked for
	Strict   bool          // and is a failure
	Count    bool          // the tests that passed and failed are asked for
	Change   *Intervention // what is done to the running program; nil: nothing
	// Check is what the runs are looked through for by a detector; empty: nothing.
	Check adapters.Check
}

// Host is where the question is asked: what a diagnosis needs of it.
type Host struct {
	Sessions  *session.Manager
	Workspace string // absolute: where relative paths are looked for
	Log       *slog.Logger
	// Adopt makes a session that was opened the one that the call speaks of; Abandon lets
	// go of it.
	Adopt   func(ctx context.Context, s *session.Session) error
	Abandon func()
	// Started is told of a session whose target is known.
	Started func(s *session.Session)
	// Progress is told what the diagnosis is at.
	Progress func(doing string)
}

// Run runs the program until it fails, or the time is over, or so often as was asked. An
// error is a *fault.Error, and no session is left then.
func Run(ctx context.Context, host Host, q Question) (*Result, error) {
	if q.Check != "" {
		return detect(ctx, host, q)
	}
	d := &diagnosis{Host: host, question: q, request: diagnosisStart(q.Request), before: host.Sessions.Current()}
	switch {
	case q.Change != nil:
		d.request.Break = []session.BreakpointSpec{q.Change.At}
	case q.Calls && Starts(q.Request):
		d.request.Program.Record = flightSpec()
	}
	defer func() {
		if d.ahead != nil {
			d.ahead()
		}
	}()
	d.request.Program.Left = leftoverAsked(q)
	d.request.Ends = Starts(q.Request)
	for d.runs.Made < max(q.Repeat, 1) {
		passed, made := d.last, d.runs.Made
		if err := d.run(ctx); err != nil {
			d.endSession(ctx)
			if passed == nil || ctx.Err() != nil || time.Until(q.Over) > shortestRun {
				return nil, err
			}
			d.last, d.runs.Made = passed, made // the time was over while one more was begun
			break
		}
		if d.last.r.Verdict != judge.OK || !time.Now().Before(q.Over) {
			break
		}
	}
	if d.last.r.Verdict == judge.OK && d.runs.Made < q.Repeat {
		d.last.r.warn(fmt.Sprintf("timeout_ms was over after %d of %d runs: that the others pass is not known", d.runs.Made, q.Repeat))
	}
	if err := d.complete(ctx); err != nil {
		d.endSession(ctx)
		return nil, err
	}
	return d.last.r, nil
}

// diagnosisStart is a start as it is diagnosed: nothing but a failure stops it.
func diagnosisStart(r session.StartRequest) session.StartRequest {
	r.ID, r.Break, r.Show, r.Exceptions = "", nil, nil, nil
	r.Program.StopOnEntry = false
	r.Program.StdinOpen = r.Program.StdinOpen || r.Program.Stdin == nil && r.Program.Mode != adapters.Test && Starts(r) // to see that it is wanted
	return r
}

// Starts says that a request starts its program, which could be started once more.
func Starts(r session.StartRequest) bool {
	return !r.Program.Attaches() && r.Program.CoreFile == ""
}
