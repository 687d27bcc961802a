package handlers

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"time"

	"aidb-mcp/internal/mcp/client"
	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Handler takes a call on. An error is a *fault.Error wherever the agent can do
// something about it.
type Handler func(ctx context.Context, c *Call) (Result, error)

// Result is what has become of a call on its way back up the chain.
type Result struct {
	Envelope  *responses.Envelope // nil with an error, and where the client is asked first
	Reply     responses.Reply     // what is sent; respond makes it
	operation *session.Operation  // for the history, nil for what leaves no trace there
}

// Call is one tool call on its way down the chain. Each middleware fills in
// what it finds out. It belongs to the goroutine of the call; progress alone
// looks at it from another, and only at subject and doing.
type Call struct {
	Tool    string
	Args    json.RawMessage  // as they came
	Session *session.Session // that the call speaks of, nil when it needs none
	Client  client.Client    // who makes the call; never nil

	// What says what the call did, for the history: "set breakpoint calc.go:7".
	// A handler may set it; empty means the tool and its action.
	What string

	tool        tool
	trigger     *session.Trigger // that it sends; nil: none
	request     *request         // what the arguments ask for, once they are read
	subject     atomic.Pointer[session.Session]
	doing       atomic.Pointer[string] // what a call without a session is at
	isLook      bool                   // for one who reads beside the calls, see Look
	asked       int64                  // the number of the event that tells of the call, 0 for none
	queue       *queue                 // of the sessions' locks
	unlock      func()
	shownEpoch  int  // the session's epoch that the reply shows, 0 when it shows none
	showsOutput bool // the reply shows what the program has printed
}

// unattended is a call behind which there is nobody to be asked or told.
func unattended() *Call { return &Call{Client: client.None{}} }

// Adopt makes a session that the call has just opened the one it speaks of and
// takes its lock, which is given back when the call ends.
func (c *Call) Adopt(ctx context.Context, s *session.Session) error {
	unlock, err := c.queue.take(ctx, s, c.what())
	if err != nil {
		return err
	}
	c.unlock = unlock
	c.speakOf(s)
	return nil
}

// Abandon lets go of a session that is not known any more.
func (c *Call) Abandon() {
	if c.unlock != nil {
		c.unlock()
		c.unlock = nil
	}
	c.speakOf(nil)
}

func (c *Call) speakOf(s *session.Session) {
	c.Session = s
	c.subject.Store(s)
}

// tell says what the call is at, now and while it goes on, and how far: done of
// total, where that is known.
func (c *Call) tell(doing string, done, total float64) {
	c.doing.Store(&doing)
	c.Client.Progress(doing, done, total)
}

// timeout is how long the call may wait for the program.
func (c *Call) timeout() time.Duration {
	if c.request == nil {
		return 0
	}
	return c.request.Timeout()
}

// budget is the size of the reply that the call asks for, in bytes.
func (c *Call) budget() int {
	if c.request == nil {
		return defaultBudget
	}
	return c.request.Budget()
}

// what is the call in a few words: "step over", "inspect stack".
func (c *Call) what() string {
	if c.What != "" {
		return c.What
	}
	if c.request != nil && c.request.action != "" {
		return c.Tool + " " + c.request.action
	}
	return c.Tool
}
