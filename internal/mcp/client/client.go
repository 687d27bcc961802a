// Package client is what a tool call may want of the client that makes it: to
// know its name, to tell it how far the call is, to ask its person or its model.
//
// It knows neither the protocol that carries this nor what is told or asked.
package client

import (
	"context"
	"errors"
	"time"
)

// Client is the client that makes a call. Its methods may be called from any
// goroutine until the call returns.
type Client interface {
	// Name is what the client calls itself, such as "claude-code"; empty when it
	// has not said.
	Name() string
	// Progress tells a waiting client what the call is at. Of what can be counted
	// done of total is done; a total of 0 says that nothing is known of it. A
	// client that has not asked is not told.
	Progress(message string, done, total float64)
	// Elicits says whether a person can be asked.
	Elicits() bool
	// Elicit asks the person at the client and returns what was chosen or written, as
	// the client has it; nothing where it was a matter of yes or no. It waits for two
	// minutes at most.
	Elicit(ctx context.Context, q Question) (choice string, err error)
	// OpensPages says whether the client can ask its person to open a page.
	OpensPages() bool
	// OpenPage asks the person to open the page of a question, and returns nil when they
	// agree. What is shown at the page the client does not learn.
	OpenPage(ctx context.Context, q Question) error
	// Draws says whether the client shows views beside results: it wants their data.
	Draws() bool
	// Answered says that an answer to the question with this key came with the call,
	// which was made before and ended with ErrAsked.
	Answered(key string) bool
	// Sample asks the client's model. It waits for a minute at most.
	Sample(ctx context.Context, p Prompt) (Opinion, error)
}

// Gateway is a client behind a gateway, which tells of its debug sessions at other servers.
type Gateway interface {
	Elsewhere() []Session
}

// Session is one of debugging at another server.
type Session struct {
	ID       string    `json:"id"`
	Language string    `json:"language"`
	Program  string    `json:"program"`
	State    string    `json:"state"`
	Since    time.Time `json:"since,omitzero"`
}

// ElsewhereKey is where a call's _meta has the sessions of its client at other servers.
const ElsewhereKey = "aidb/elsewhere"

// BeforeKey is the member of a call's _meta that says by when the call must have begun, in
// milliseconds of this machine's clock. Later its gateway may have given it up.
const BeforeKey = "aidb/before"

// Question is one to a person.
type Question struct {
	Key     string   // names it among those of a call; the same whenever the call is made
	Message string   // all that is needed to decide
	Choices []string // to choose one of; none: yes or no
	Text    bool     // or: a text to write, which may be empty; nothing that is secret
	Page    string   // or: the address of a page to open
}

// Prompt is a question to a model.
type Prompt struct {
	Key    string // as that of a Question
	System string // what the model is to do
	Text   string
	Tokens int // of the answer, at most
}

// Opinion is what a model says.
type Opinion struct {
	Text  string
	Model string // what the client calls it; may be empty
}

// What becomes of a question without an answer.
var (
	// ErrUnsupported: the client cannot ask, or fails when it should.
	ErrUnsupported = errors.New("the client cannot ask")
	// ErrDeclined: the person said no, or the model was not asked or said nothing.
	ErrDeclined = errors.New("declined")
	// ErrSilent: nobody answered in time.
	ErrSilent = errors.New("nobody answered in time")
	// ErrAsked: the question goes out in place of the call's reply, and the call
	// is made again with the answer. It must not have changed anything.
	ErrAsked = errors.New("the client is asked first")
)

// None is nobody in particular, who wants nothing.
type None struct{}

// Name is empty.
func (None) Name() string { return "" }

// Progress tells nobody.
func (None) Progress(string, float64, float64) {}

// Elicits is false.
func (None) Elicits() bool { return false }

// Elicit asks nobody.
func (None) Elicit(context.Context, Question) (string, error) { return "", ErrUnsupported }

// OpensPages is false.
func (None) OpensPages() bool { return false }

// OpenPage asks nobody.
func (None) OpenPage(context.Context, Question) error { return ErrUnsupported }

// Draws is false.
func (None) Draws() bool { return false }

// Answered is false.
func (None) Answered(string) bool { return false }

// Sample asks no model.
func (None) Sample(context.Context, Prompt) (Opinion, error) { return Opinion{}, ErrUnsupported }

// Level is how much a message matters, in the protocol's words.
type Level string

// The levels that we use.
const (
	Debug   Level = "debug"
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// Log takes messages for a client. It may be used from any goroutine.
type Log interface {
	// Wanted says whether the client wants any messages at all.
	Wanted() bool
	// Log sends one, if the client wants those of its level and keeps up. Data
	// marshals to JSON.
	Log(level Level, logger string, data any)
}
