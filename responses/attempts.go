package responses

import "fmt"

// Attempts is the data of attempt.
type Attempts struct {
	Problem    string       `json:"problem"`          // names it in aidb://attempts/
	Check      any          `json:"check,omitempty"`  // of the problem, where the call did not give it
	Before     *FailureCard `json:"before,omitempty"` // what the check shows without any change
	Candidates []Candidate  `json:"candidates,omitzero"`
	Winner     int          `json:"winner,omitempty"`    // the first that passed; see Win
	Workspace  string       `json:"workspace,omitempty"` // where it was tried, when not at its own path
	How        string       `json:"how,omitempty"`       // which machines have tried how many, where others have helped
	Changed    []string     `json:"changed,omitempty"`   // files that were written
	Solved     *Solved      `json:"solved,omitempty"`    // what mended the same failure elsewhere
	Prompt     string       `json:"prompt,omitempty"`    // for the agent, where the client has no model to ask
	Spent      *Spent       `json:"spent,omitempty"`
	Warnings   []string     `json:"warnings,omitempty"`

	total   int  // candidates, before the budget cut some
	running bool // the winner has changed the running program only
	edited  bool // it is the winner because others that passed have
	runs    int  // in which it has passed, where it was more than one
}

// Win has a candidate that passed be the winner: the first, but one that changes the
// code before one that changes the running program only, which cannot be written.
func (a *Attempts) Win(n int, running bool, runs int) {
	if a.Winner == 0 || a.running && !running {
		a.edited = a.Winner != 0
		a.Winner, a.running, a.runs = n, running, runs
	}
}

// Writable says that there is a winner which can be written.
func (a *Attempts) Writable() bool { return a.Winner != 0 && !a.running }

// Won is "; 2 is the first that passes, in 3 runs", nothing where none does.
func (a *Attempts) Won() string {
	in := "in one run"
	if a.runs > 1 {
		in = fmt.Sprintf("in %d runs", a.runs)
	}
	switch {
	case a.Winner == 0:
		return ""
	case a.running:
		return fmt.Sprintf("; %d is the first that passes, in the running program only: try an edit that does the same", a.Winner)
	case a.edited:
		return fmt.Sprintf("; %d is the first edit that passes, %s", a.Winner, in)
	}
	return fmt.Sprintf("; %d is the first that passes, %s", a.Winner, in)
}

// Candidate is one change that was tried.
type Candidate struct {
	N           int          `json:"n,omitempty"` // its number in the memory
	Hypothesis  string       `json:"hypothesis,omitempty"`
	Result      string       `json:"result"`
	Written     bool         `json:"written,omitempty"` // it stands in the workspace, as apply has left it
	SameAs      int          `json:"same_as,omitempty"` // it was tried before, as this number, and not run again
	Was         string       `json:"was,omitempty"`     // the result then
	Why         string       `json:"why,omitempty"`     // it could not be tried, or proves nothing
	Passed      int          `json:"tests_passed,omitempty"`
	Failed      int          `json:"tests_failed,omitempty"`
	Hits        int          `json:"hits,omitempty"` // of the place at which the run was changed
	MS          int64        `json:"ms,omitempty"`
	On          string       `json:"on,omitempty"`           // another machine, where it was tried
	SameFailure bool         `json:"same_failure,omitempty"` // as without any change
	SamePlace   bool         `json:"same_place,omitempty"`   // it fails there as without any change; what else they have in common is not known
	Failure     *FailureCard `json:"failure,omitempty"`
	Change      any          `json:"change,omitempty"` // in lists
}

// Solved is an attempt of another problem that mended the same failure.
type Solved struct {
	Problem    string `json:"problem"`
	N          int    `json:"n"`
	Hypothesis string `json:"hypothesis,omitempty"`
	Change     any    `json:"change,omitempty"`
}

// Spent is what proposals have cost.
type Spent struct {
	Rounds int   `json:"rounds"`
	Tokens int   `json:"tokens"` // estimated, in and out
	MS     int64 `json:"ms"`
}

func (a *Attempts) omissions() []Omission {
	if a.total <= len(a.Candidates) {
		return nil
	}
	return []Omission{{What: "candidates", Shown: len(a.Candidates), Total: a.total}}
}

func (a *Attempts) trims() []trim {
	return []trim{a.trimChanges, a.trimFailures, a.trimRows(3), a.trimPrompt, a.trimRows(0)}
}

// trimChanges gives up the changes of lists, which the call has given.
func (a *Attempts) trimChanges(int) bool {
	changed := false
	for i := range a.Candidates {
		if small := shrink(a.Candidates[i].Change, 300); a.Candidates[i].Change != nil && size(small) < size(a.Candidates[i].Change) {
			a.Candidates[i].Change, changed = small, true
		}
	}
	return changed
}

func (a *Attempts) trimFailures(int) bool {
	changed := false
	for i := range a.Candidates {
		if f := a.Candidates[i].Failure; f != nil && (len(f.Message) > 100 || f.Expected+f.Actual+f.Left+f.Right != "") {
			short := FailureCard{Verdict: f.Verdict, Message: Shorten(f.Message, 100), Location: f.Location, Function: f.Function}
			a.Candidates[i].Failure, changed = &short, true
		}
	}
	return changed
}

// trimRows keeps the last rows: the newest attempts.
func (a *Attempts) trimRows(keep int) trim {
	return func(over int) bool {
		if len(a.Candidates) <= keep {
			return false
		}
		a.total = max(a.total, len(a.Candidates))
		for freed := 0; freed < over && len(a.Candidates) > keep; {
			freed += size(a.Candidates[0]) + 1
			a.Candidates = a.Candidates[1:]
		}
		return true
	}
}

// trimPrompt cuts it where it must: what matters least is at its end.
func (a *Attempts) trimPrompt(over int) bool {
	const few, mark = 500, 20
	if len(a.Prompt) <= few {
		return false
	}
	a.Prompt = shortenEncoded(a.Prompt, max(few, size(a.Prompt)-over-mark))
	return true
}
