package adapters

import (
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/system/process"
)

// Base is the protocol's plain word: embed it in a Dialect and write only what
// the adapter does differently.
type Base struct {
	ID       string              // adapterID of initialize
	Name     string              // of the adapter, for error texts: "debugpy"
	Uncaught []string            // filters that mean "uncaught"; nil: the advertised defaults
	Meanings map[string][]string // other plain words for filters
}

// Initialize names the adapter.
func (b Base) Initialize(args *godap.InitializeRequestArguments) { args.AdapterID = b.ID }

// Filters reads the user's choice among what the adapter advertises.
func (b Base) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	var known, defaults []string
	for _, f := range advertised {
		known = append(known, f.Filter)
		if f.Default {
			defaults = append(defaults, f.Filter)
		}
	}
	uncaught := b.Uncaught
	if uncaught == nil {
		uncaught = defaults
	}
	filters := []string{} // an empty list clears them
	add := func(names []string) {
		for _, name := range names {
			if slices.Contains(known, name) && !slices.Contains(filters, name) {
				filters = append(filters, name)
			}
		}
	}
	for _, name := range choice {
		meant, plain := b.Meanings[name]
		switch {
		case name == "none":
		case plain:
			add(meant)
		case name == "uncaught":
			add(uncaught)
		case name == "all":
			add(known)
		case slices.Contains(known, name):
			add([]string{name})
		default:
			return nil, fault.New(fault.InvalidParam, "%s has no exception filter %q", b.Name, name).WithField("exceptions").
				WithHint("use uncaught, all, none, or among %s", strings.Join(known, ", "))
		}
	}
	return filters, nil
}

// Entry leaves the stop on entry to the adapter.
func (Base) Entry() string { return "" }

// Stopped takes the event at its word.
func (Base) Stopped(e godap.StoppedEventBody) Stop {
	return Stop{
		Reason: e.Reason, Description: e.Description, Text: e.Text,
		ThreadID: e.ThreadId, HasThread: e.ThreadId != 0, Hit: e.HitBreakpointIds,
	}
}

// Truth takes an expression to be true or false by itself.
func (Base) Truth(expr string) string { return expr }

// Range cannot be said in no language at all.
func (Base) Range(string, string, int, int) string { return "" }

// Fault adds nothing.
func (Base) Fault(string, error) (message, hint string) { return "", "" }

// Internal believes the adapter's hints.
func (Base) Internal(frame godap.StackFrame) bool {
	return frame.Source == nil || frame.PresentationHint == "subtle" || frame.Source.PresentationHint == "deemphasize"
}

// Wait does not know.
func (Base) Wait([]godap.StackFrame) string { return "" }

// ThreadName is the thread's name.
func (Base) ThreadName(t godap.Thread) string { return t.Name }

// Signal reads a negative exit code as the number of a signal, and one above
// 128 not at all: programs exit with such codes too.
func (Base) Signal(exitCode int) string {
	if exitCode >= 0 {
		return ""
	}
	return process.SignalText(-exitCode)
}

// Variables are left as they are.
func (Base) Variables(_ string, vars []godap.Variable) []godap.Variable { return vars }

var _ Dialect = Base{}
