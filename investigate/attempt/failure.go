package attempt

import (
	"fmt"
	"strings"
	"time"

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

// isUnbuilt says that the program could not be built, or not be read.
func (f *Failure) isUnbuilt() bool { return f.Verdict == string(judge.BuildFailed) }

// Signature is what two failures that are the same have in common: their place may move
// by lines, and their message may name addresses. What was compared counts also where it
// stands in the message's later lines.
func (f *Failure) Signature() string {
	parts := []string{f.Verdict, f.Function, firstLine(f.Message)}
	if compared := f.Actual + f.Left; compared != "" && !strings.Contains(parts[2], compared) {
		parts = append(parts, f.Expected, f.Actual, f.Left, f.Right)
	}
	return judge.Alike(strings.Join(parts, "|"))
}

// isLike says that two failures are the same. Of runs that were cut nobody knows how they
// would have ended.
func (f *Failure) isLike(other *Failure) bool {
	return f != nil && other != nil && !f.isCut() && !other.isCut() && f.Signature() == other.Signature()
}

// timedOut is the verdict of a check that was not over when its time was.
const timedOut = "timed_out"

// isCut says that the run was ended by us.
func (f *Failure) isCut() bool { return f.Verdict == timedOut }

// setCut marks the failure of a check whose time ran out: what it did then says nothing
// of how it would have gone on, but a deadlock stands whenever it is seen, and who
// waits for input waits for it.
func (c *Checked) setCut(limit time.Duration) {
	switch judge.Verdict(c.Verdict) {
	case judge.Deadlock, judge.Input:
		return
	}
	if c.Late {
		c.Failure = Failure{Verdict: timedOut, Message: fmt.Sprintf("cut after %s: it had not ended", limit.Round(time.Second))}
	}
}

// isExitCodeOnly says whether a failure tells nothing but how the program ended: any
// program may end so.
func (f *Failure) isExitCodeOnly() bool { return f.Verdict == string(judge.ExitCode) }

// signatureOf is the signature of a failure wherever it shows: in another check of the
// same project, or, where the failure says only how the program ended, in this check
// alone.
func (p *Problem) signatureOf(f *Failure) string {
	if f.isCut() {
		return ""
	}
	scope := workspaceIdentity(p.Workspace)
	if f.isExitCodeOnly() {
		scope = p.ID
	}
	return digest(scope + "\x00" + f.Signature())
}
