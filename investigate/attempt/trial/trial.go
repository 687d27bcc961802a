// Package trial tries a change of a workspace: it starts this binary again in a box (see
// investigate/attempt/box), which writes the change there, and makes the check that it is given.
//
// The package knows nothing of what a check is: it is JSON that goes in, and JSON that
// comes out.
//
// The server's private directory outlives what runs in a box, because the trial's
// supervisor holds its keeper. A check has a private directory and a keeper of its own.
// If the trial is killed they die with the box, and the server removes that directory, or
// its keeper does if the server was killed too.
package trial

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"aidb-mcp/internal/changes/change"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/investigate/attempt/box"
)

// Command is the hidden command that reads a Job and makes its check.
const Command = "check"

// Trials makes them for one server. All methods may be called from any goroutine.
type Trials struct {
	Boxes *box.Boxes
	Flags []string // of the command line that are about what a program may do
	// Builds is where what is built outside of workspaces is kept; empty: nowhere.
	Builds string
}

// Job is what the process in the box is told.
type Job struct {
	Workspace string          `json:"workspace"`        // where the workspace is in the box
	Original  string          `json:"original"`         // the same, where it is a copy
	Builds    bool            `json:"builds,omitempty"` // what is kept of builds is covered in the box: it may be built there
	Change    *change.Change  `json:"change,omitempty"`
	Check     json.RawMessage `json:"check"`
}

// Answer is what it answers: what came of the check, or why it could not be made.
type Answer struct {
	Checked json.RawMessage `json:"checked,omitempty"`
	Error   *Problem        `json:"error,omitempty"`
}

// Problem is an error, as fault.Error has it.
type Problem struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Field   string `json:"field,omitempty"`
}

func (p *Problem) Error() string { return p.Message }

// Result is what came of a trial.
type Result struct {
	Answer
	Copied string // where the copy was, where the workspace had to be one
	Took   time.Duration
	Reads  *box.Reads // outside of the workspace; nil: nobody could see them
}

// Place is a workspace in which a change is tried.
type Place struct {
	Workspace string // absolute
	// Original is where the check has it that speaks of it: on another machine, it may lie
	// elsewhere. Empty: there.
	Original string
}

// grace is for a check to end what it has started when it is over.
const grace = 10 * time.Second

// Run tries a change, which may be nil, for as long as the check itself may take and a
// little. When it returns, nothing of it is left.
func (t *Trials) Run(ctx context.Context, at Place, made *change.Change, check any, limit time.Duration) (*Result, error) {
	question, err := json.Marshal(check)
	if err != nil {
		return nil, fmt.Errorf("writing the check: %w", err)
	}
	original := cmp.Or(at.Original, at.Workspace)
	b, err := t.Boxes.Open(ctx, at.Workspace)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	job, err := json.Marshal(Job{Workspace: b.Workspace, Original: original, Builds: t.Builds != "" && b.Covers(t.Builds), Change: made, Check: question})
	if err != nil {
		return nil, fmt.Errorf("writing the job: %w", err)
	}
	bounded, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	begun := time.Now()
	answer, err := t.runJob(bounded, b, job)
	if err != nil {
		return nil, err
	}
	result := &Result{Answer: *answer, Took: time.Since(begun), Reads: b.Reads()}
	if b.Copied {
		result.Copied = b.Workspace
	}
	if b.Workspace != original {
		result.relocate(b.Workspace, original)
	}
	return result, nil
}

// relocate names the paths of the workspace that the check speaks of in place of those where
// it was tried.
func (r *Result) relocate(tried, original string) {
	text := func(s string) string { return strings.ReplaceAll(s, tried, original) }
	r.Checked = json.RawMessage(text(string(r.Checked)))
	if r.Error != nil {
		r.Error.Message, r.Error.Hint = text(r.Error.Message), text(r.Error.Hint)
	}
}

// most is how much an answer may be, in bytes.
const most = 256 << 10

func (t *Trials) runJob(ctx context.Context, b *box.Box, job []byte) (*Answer, error) {
	self, err := process.Executable()
	if err != nil {
		return nil, err
	}
	spec, err := b.Wrap(process.Spec{Name: "check", Path: self, Args: append([]string{Command}, t.Flags...), Dir: b.Workspace})
	if err != nil {
		return nil, err
	}
	child, err := process.Start(spec)
	if err != nil {
		return nil, err
	}
	ended := false
	defer func() {
		child.Kill()
		<-child.Done()
		if !ended { // it was killed, and its keeper with it
			process.Sweep()
		}
	}()
	stop := context.AfterFunc(ctx, child.Kill)
	defer stop()
	if _, err := child.Stdin.Write(job); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		return nil, fmt.Errorf("writing the job: %w", err)
	}
	if err := child.Stdin.Close(); err != nil {
		return nil, fmt.Errorf("writing the job: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(child.Stdout, most))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	answer := &Answer{}
	ended = len(out) > 0
	if err := json.Unmarshal(out, answer); err != nil {
		child.Kill()
		return nil, fmt.Errorf("the check gave no answer: %s %s", child.Exit(), child.StderrTail(500))
	}
	return answer, nil
}
