package tools

import (
	"encoding/json"
	"time"
)

// AttemptParams are the arguments of attempt.
type AttemptParams struct {
	Action     string          `json:"action" default:"try" enum:"try,propose,list,apply,forget"`
	Candidates []Candidate     `json:"candidates" list:"flat" doc:"hypothesis, and patch (a diff), or edits [{file, old, new}], or at {location, set {name: value} or skip: true} in the running program"`
	Check      json.RawMessage `json:"check" doc:"what must pass, as in session_start; default: the session's start"`
	N          int             `json:"n" min:"1" doc:"apply: which; default: the winner"`
	Undo       bool            `json:"undo" doc:"apply: take it back"`
	Parallel   int             `json:"parallel" min:"1" max:"16" list:"no"`
	Rounds     int             `json:"rounds" default:"3" min:"1" max:"10" doc:"propose"`
	Tokens     int             `json:"tokens" default:"20000" min:"500" max:"200000" list:"no"`
	SessionRef
	Trials
	Brief
}

// Trials is the Wait of a call that builds and runs the program several times.
type Trials struct {
	TimeoutMS int `json:"timeout_ms" default:"60000" min:"0" max:"300000" list:"bare"`
}

// Waits says that the call waits for the program.
func (t *Trials) Waits() bool { return true }

// Timeout is how long all of them may take.
func (t *Trials) Timeout() time.Duration { return (*Wait)(t).Timeout() }

// Spend takes time that the call has already waited, in a queue, off its timeout.
func (t *Trials) Spend(d time.Duration) { (*Wait)(t).Spend(d) }

// Candidate is one change that may be the remedy. In the schema it is told by the list's
// own description.
type Candidate struct {
	Hypothesis string `json:"hypothesis,omitempty"`
	Patch      string `json:"patch,omitempty"`
	Edits      []Edit `json:"edits,omitempty"`
	At         *At    `json:"at,omitempty"`
}

// Edit replaces a text that stands once in a file.
type Edit struct {
	File string `json:"file" required:"true"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// At changes the running program each time that it comes to a place: variables are set,
// or the statement is skipped.
type At struct {
	Location string            `json:"location" required:"true"`
	Set      map[string]string `json:"set,omitempty"`
	Skip     bool              `json:"skip,omitempty"`
}

// Attempt is the definition of attempt.
func Attempt() Typed[*AttemptParams] {
	return define[AttemptParams]("attempt", "Try remedies",
		"Try changes of the code against a failing test in copies of the workspace, several at once; only apply writes to your files. What was tried is remembered: list shows it. "+
			"Example: {\"candidates\":[{\"hypothesis\":\"off by one\",\"edits\":[{\"file\":\"calc.py\",\"old\":\"i < n\",\"new\":\"i <= n\"}]}],\"check\":{\"test\":\"TestTotal\"}}",
		Annotations{OpenWorld: true, Destructive: true})
}
