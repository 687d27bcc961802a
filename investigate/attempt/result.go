package attempt

import (
	"encoding/json"
	"time"

	"aidb-mcp/internal/changes/attempts"
)

// Result is what came of a question.
type Result struct {
	Problem  string
	Before   *Failure // what the check shows without any change; nil: it was not made
	Rows     []Row
	Copied   string     // where it was tried, when not at the workspace's own path
	Solved   *Solved    // what has mended the same failure in another check
	Prompt   string     // for the agent, where the client has no model to ask
	Suspect  *Candidate // with the prompt: an example of an answer to it
	Spent    *Spent     // on proposals
	Ended    string     // why no further proposal was asked for
	Warnings []string
	Helped   []Help // what other machines have tried
	Unsteady string // how the check was seen to pass and to fail alike, so that no candidate has won; empty: it was not

	took time.Duration // the check without any change; 0: it was not made now
}

// Help is what another machine has tried, and why not more.
type Help struct {
	Machine string // empty: none could be asked
	Tried   int
	Why     string // empty: there was no more to try
}

// Passes says that the check passes without any change, so that nothing that passes
// proves anything.
func (r *Result) Passes() bool { return r.Before != nil && r.Before.Passed() }

// Won says that a candidate has passed against a check that fails without it.
func (r *Result) Won() bool {
	for i := range r.Rows {
		if r.Rows[i].Won() {
			return !r.Passes()
		}
	}
	return false
}

// Row is what came of one change.
type Row struct {
	N          int // its number in the memory
	Hypothesis string
	Result     string // in the words of package attempts
	Written    bool   // it stands in the workspace, as Apply has left it
	SameAs     int    // it was tried before, as this number, and not run again
	Was        string // the result then
	Why        string // it could not be tried
	// TestsPassed and TestsFailed are as their framework counts them.
	TestsPassed, TestsFailed int
	Hits                     int // of the place at which the run was changed
	MS                       int64
	SameFailure              bool // as without any change
	SamePlace                bool // it fails there, and what else the two have in common is not known
	Failure                  *Failure
	Running                  bool   // it changes the running program only: it cannot be written
	Machine                  string // where it was tried, when elsewhere
	Unproven                 string // why it proves nothing that it passed; empty: it may
	Runs                     int    // in which it passed, where it was more than one
	Change                   any    // in lists: what was given
}

// Won says that it has passed, now or before, where that may prove something.
func (r *Row) Won() bool {
	return (r.Result == attempts.Passed || r.Was == attempts.Passed) && r.Unproven == ""
}

// setUnproven notes why a pass proves nothing.
func (r *Row) setUnproven(why string) {
	if r.Result == attempts.Passed {
		r.Unproven = why
	}
}

// compare holds its failure against another, that without any change.
func (r *Row) compare(other *Failure) {
	r.SameFailure = r.Failure.isSame(other)
	r.SamePlace = !r.SameFailure && r.Failure.isLike(other) && r.Failure.Location != ""
}

// Solved is an attempt of another problem that has mended the same failure.
type Solved struct {
	Problem    string
	N          int
	Hypothesis string
	Change     any
}

// Spent is what proposals have cost.
type Spent struct {
	Rounds, Tokens int // the tokens are estimated, in and out
	MS             int64
}

// Checked is what came of one check, as the process in the box writes it.
type Checked struct {
	Failure
	TestsPassed int  `json:"passed,omitempty"`
	TestsFailed int  `json:"failed,omitempty"`
	Hits        int  `json:"hits,omitempty"` // of the place where the run was changed
	Late        bool `json:"late,omitempty"` // it was not over when its time was
}

// readFailure reads a failure out of the memory; nil where it has none.
func readFailure(text json.RawMessage) *Failure {
	f := &Failure{}
	if len(text) == 0 || json.Unmarshal(text, f) != nil || f.Verdict == "" {
		return nil
	}
	return f
}
