package adapters

import (
	godap "github.com/google/go-dap"

	"aidb-mcp/internal/text/pattern"
)

// Output is what an adapter knows of the texts that come with a program: which of them are
// the debugger's own. The engine asks it of each output event and, where it holds the
// program's streams itself, of each line in them.
type Output struct {
	// Sift looks at each output event before it is kept: it may change the category (stdout,
	// stderr, console, important, telemetry, and log for what a logpoint wrote) and the text,
	// and drops the event when it says so. It is called on the reading goroutine.
	Sift func(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool)
	// Noise are whole lines (without their end) that the runtime writes into the program's
	// streams because it is debugged: they are not shown. Stream is stdout or stderr.
	Noise func(stream, line string) bool
	// Planted is what we have put into the program's sources: where its runtime quotes them, it
	// is not shown.
	Planted *pattern.Pattern
}
