// Package client is what a tool call may want of the client that makes it: to
// know its name and to tell it how far the call is.
//
// It knows neither the protocol that carries this nor what is told.
package client

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
}

// None is nobody in particular, who wants nothing.
type None struct{}

// Name is empty.
func (None) Name() string { return "" }

// Progress tells nobody.
func (None) Progress(string, float64, float64) {}

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
