package handlers

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"aidb-mcp/internal/client"
	"aidb-mcp/responses"
	"aidb-mcp/session"
	"aidb-mcp/tools"
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
	Params  any              // pointer to the tool's parameter struct, once decoded
	Session *session.Session // that the call speaks of, nil when it needs none
	Before  session.State    // of Session when the handler begins
	Client  client.Client    // who makes the call; never nil

	// What says what the call did, for the history: "set breakpoint calc.go:7".
	// A handler may set it; empty means the tool and its action.
	What string

	definition *tools.Definition
	ruler      ruler
	rule       rule
	subject    atomic.Pointer[session.Session]
	doing      atomic.Pointer[string] // what a call without a session is at
	looks      bool                   // for one who reads beside the calls, see Look
	queue      *queue                 // of the sessions' locks
	unlock     func()
	told       int  // the session's epoch that the reply shows, 0 when it shows none
	toldOutput bool // the reply shows what the program has printed
}

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

// what is the call in a few words: "step over", "inspect stack".
func (c *Call) what() string {
	if c.What != "" {
		return c.What
	}
	if c.Params != nil {
		if action := c.definition.Action(c.Params); action != "" {
			return c.Tool + " " + action
		}
	}
	return c.Tool
}
