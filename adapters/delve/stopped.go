package delve

import (
	"slices"
	"strconv"
	"strings"
	"syscall"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/wire"
)

// plainReasons translates the words that Delve uses when a stop interrupts
// the call of a function in an expression, and a few more.
var plainReasons = map[string]string{
	"manual":               "pause",
	"unknown":              "pause",
	"next finished":        "step",
	"call returned":        "step",
	"watchpoint":           "data breakpoint",
	"hardcoded breakpoint": "breakpoint",
}

const stepInterrupted = "Unable to step while the previous step is interrupted"

// Stopped tells stops of the program from failures of Delve that come as stops.
func (d *dialect) Stopped(body godap.StoppedEventBody) adapters.Stop {
	stop := adapters.Stop{
		Reason:      body.Reason,
		Description: body.Description,
		Text:        unquote(body.Text),
		ThreadID:    body.ThreadId,
		HasThread:   body.ThreadId > 0, // 0 is a thread outside of any goroutine
	}
	if plain, ok := plainReasons[body.Reason]; ok {
		stop.Reason = plain
	}
	for _, id := range body.HitBreakpointIds {
		switch {
		case id == wire.EveryPanicID:
			stop.Reason, stop.Description = "exception", "panic"
		case id == wire.TestFailureID:
			stop.Reason, stop.Description = "exception", "test failure"
		case id > 0: // the others are Delve's own
			stop.Hit = append(stop.Hit, id)
		}
	}
	switch {
	case body.Reason == "entry" && d.joined:
		stop.Reason = "pause"
	case body.Reason == "error":
		stop.Error = body.Text
	case body.Reason != "exception":
	case body.Description == "panic" && !strings.HasPrefix(body.Text, `"`):
		stop.Text = "" // of a value that is no text Delve tells a pointer's number, exceptionInfo what it is
	case body.Text == "no such process": // only SIGKILL ends a program that Delve holds
		stop.Gone = (*dialect)(nil).Signal(-int(syscall.SIGKILL))
	case strings.HasPrefix(body.Text, stepInterrupted):
		stop.Resume = true
	case body.Description == "runtime error" && !memoryFault(body.Text), body.Description == "invalid command":
		stop.Reason, stop.Error = "error", strings.TrimPrefix(body.Text, "error evaluating expression: ")
		stop.Unjudged = true
	}
	return stop
}

// memoryFault matches how a bad access is told on macOS, where it is no panic.
func memoryFault(text string) bool {
	return slices.ContainsFunc([]string{"bad access", "invalid memory address"}, func(s string) bool {
		return strings.Contains(text, s)
	})
}

// unquote: the text of a panic comes as a Go literal.
func unquote(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text
}
