package attempt

import (
	"fmt"
	"strings"
	"time"

	"aidb-mcp/internal/text/pattern"
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
	// Values are those that the failed statement read, as "n = 3", where nothing tells what it
	// compared.
	Values []string `json:"values,omitempty"`
	Unread bool     `json:"unread,omitempty"` // it compared something of which nobody has read the values
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

// isLike says that two failures show at the same place in the same way. Of runs that were cut
// nobody knows how they would have ended.
func (f *Failure) isLike(other *Failure) bool {
	return f != nil && other != nil && !f.isCut() && !other.isCut() && f.Signature() == other.Signature()
}

// isSame says that two failures are one: all that either tells is known and the same, the values
// of the statement that failed among it.
func (f *Failure) isSame(other *Failure) bool {
	return f.isLike(other) && f.hasDetails() && other.hasDetails() && f.details() == other.details()
}

// hasDetails says that a failure tells more than where and how the program ended.
func (f *Failure) hasDetails() bool {
	wordless := f.Verdict == string(judge.Signal) || f.isExitCodeOnly() || !strings.ContainsAny(f.Message, " :")
	valued := len(f.Values) > 0 || f.Actual+f.Left != "" || f.Culprit != nil && f.Culprit.Value != ""
	return !f.Unread && (!wordless || valued)
}

// details are all that a failure tells but for its lines, which a change may move, and for addresses.
func (f *Failure) details() string {
	parts := append([]string{f.Message, f.Expected, f.Actual, f.Left, f.Right}, f.Values...)
	if c := f.Culprit; c != nil {
		parts = append(parts, c.Expression, c.Value, c.Why)
	}
	return address.ReplaceAllString(strings.Join(parts, "\x00"), "0x")
}

// address matches those of memory and of objects, and places of a run alone.
var address = pattern.New(`0x[0-9a-fA-F]+|@[0-9a-f]{4,}\b|/tmp/\S+|\bpid \d+|\bthread '[^']*' \(\d+\)`)

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
