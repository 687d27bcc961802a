package attempt

import (
	"strings"

	"aidb-mcp/investigate/diagnose/judge"
)

// Failure is how a check failed, in short, or that it did not.
type Failure struct {
	Verdict  string   `json:"verdict"`
	Message  string   `json:"message,omitempty"`
	Location string   `json:"location,omitempty"`
	Function string   `json:"function,omitempty"`
	Culprit  *Culprit `json:"culprit,omitempty"`
	Expected string   `json:"expected,omitempty"`
	Actual   string   `json:"actual,omitempty"`
	Left     string   `json:"left,omitempty"`
	Right    string   `json:"right,omitempty"`
	Places   []string `json:"places,omitempty"` // of the user's code that led there
}

// Culprit is the part of the failed statement that was bad.
type Culprit struct {
	Expression string `json:"expression"`
	Value      string `json:"value,omitempty"`
	Why        string `json:"why,omitempty"`
}

// Passed says that nothing went wrong.
func (f *Failure) Passed() bool { return f.Verdict == string(judge.OK) }

// unbuilt says that the program could not be built, or not be read.
func (f *Failure) unbuilt() bool {
	return f.Verdict == string(judge.BuildFailed) || judge.Unreadable(f.Message)
}

// Signature is what two failures that are the same have in common: their place may move
// by lines, and their message may name addresses. What was compared counts also where it
// stands in the message's later lines, as in JavaScript and Rust.
func (f *Failure) Signature() string {
	parts := []string{f.Verdict, f.Function, firstLine(f.Message)}
	if compared := f.Actual + f.Left; compared != "" && !strings.Contains(parts[2], compared) {
		parts = append(parts, f.Expected, f.Actual, f.Left, f.Right)
	}
	return judge.Alike(strings.Join(parts, "|"))
}

// like says that two failures are the same.
func (f *Failure) like(other *Failure) bool {
	return f != nil && other != nil && f.Signature() == other.Signature()
}
