package page

import (
	"context"

	"aidb-mcp/internal/hub"
)

// Sessions is what the page shows: the debug sessions of this server.
type Sessions interface {
	// List lists all of them, ended ones too, oldest first.
	List() []Row
	// Find gives one of them by its id.
	Find(id string) (Session, bool)
	// Changed is closed when the list may have changed.
	Changed() <-chan struct{}
}

// Row is a session as the list shows it.
type Row struct {
	ID       string `json:"id"`
	Language string `json:"language"`
	Target   string `json:"target"` // what is debugged, in a few words
	Status   string `json:"status"` // as execution_state has it
}

// Session is one debug session. Every method may be called from any goroutine.
type Session interface {
	Hub() *hub.Hub
	// Act does what a person asks, and tells it in a few words. What may not be done is
	// an error with a code (package fault).
	Act(ctx context.Context, p hub.Person, a Act) (did string, err error)
	Threads(ctx context.Context) ([]Thread, error)
	Stack(ctx context.Context, thread, start, count int) (frames []hub.Frame, total int, err error)
	Locals(ctx context.Context, thread, frame int) (values []hub.Value, total int, err error)
	// Children opens a value by its reference, which holds until the program goes on.
	Children(ctx context.Context, ref, start, count int) (values []hub.Value, total int, err error)
	Source(ctx context.Context, file string) (Source, error)
}

// Act is what a person wants to be done.
type Act struct {
	Kind       string `json:"kind"` // one of the kinds below
	Thread     int    `json:"thread,omitempty"`
	Frame      int    `json:"frame,omitempty"`
	File       string `json:"file,omitempty"`
	Line       int    `json:"line,omitempty"`
	Condition  string `json:"condition,omitempty"`
	Breakpoint int    `json:"breakpoint,omitempty"`
	Expression string `json:"expression,omitempty"`
	Value      string `json:"value,omitempty"`
	Text       string `json:"text,omitempty"`
	Question   int    `json:"question,omitempty"`
}

// Thread is one thread of the program.
type Thread struct {
	ID      int    `json:"id"`
	Name    string `json:"name"`
	At      string `json:"at,omitempty"`
	Current bool   `json:"current,omitempty"`
}

// Source is the text of a file, whole or its first part.
type Source struct {
	Path  string `json:"path"` // as replies show it
	Text  string `json:"text"`
	First int    `json:"first"`         // number of the first line, from 1
	Cut   bool   `json:"cut,omitempty"` // there is more of it
}
