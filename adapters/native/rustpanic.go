package native

import (
	"context"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// panicChoice is which panics stop the program.
type panicChoice int

const (
	uncaughtPanics panicChoice = iota // those that the user's code does not catch
	allPanics
	noPanics
)

const panicFilter = "rust_panic" // CodeLLDB's

// Filters understands uncaught, all and none for panics; where the adapter has
// a filter for them it is set whenever they are wanted at all.
func (d *rustDialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	known := slices.ContainsFunc(advertised, func(f godap.ExceptionBreakpointsFilter) bool { return f.Filter == panicFilter })
	wanted := noPanics
	var others []string
	for _, name := range choice {
		switch name {
		case "all", panicFilter, "panic":
			wanted = allPanics
		case "uncaught":
			if wanted == noPanics {
				wanted = uncaughtPanics
			}
		default:
			others = append(others, name)
		}
	}
	d.panics.Lock()
	d.panics.wanted = wanted
	d.panics.Unlock()
	filters, err := d.lldbDialect.Filters(others, advertised)
	if err == nil && known && wanted != noPanics {
		filters = append(filters, panicFilter)
	}
	return filters, err
}

// Stopped: a panic stops the program as a breakpoint does.
func (d *rustDialect) Stopped(e godap.StoppedEventBody) adapters.Stop {
	stop := d.lldbDialect.Stopped(e)
	if stop.Reason == "breakpoint" || stop.Reason == "exception" || stop.Reason == "function breakpoint" {
		stop.Ask = true
	}
	return stop
}

// panicked is what our script says of a stop.
type panicked struct {
	Message string `json:"message"`
	Caught  bool   `json:"caught"` // by the user's code
	Panic   bool   `json:"panic"`
	Again   bool   `json:"again"` // a second place of the line where it has stopped already
	Start   bool   `json:"start"` // the C runtime's main, which a breakpoint on "main" meets too
}

// ReadStop finds out whether a stop is a panic, and whether it is one of those
// that were asked for.
func (d *rustDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	var p panicked
	if stop.Reason == "signal" || d.ask(ctx, c, &p, "panic", stop.ThreadID) != nil {
		return d.lldbDialect.ReadStop(ctx, c, stop)
	}
	d.panics.Lock()
	wanted := d.panics.wanted
	d.panics.Unlock()
	switch {
	case p.Start, p.Again:
		stop.Resume = true
	case p.Panic && (wanted == noPanics || wanted == uncaughtPanics && p.Caught):
		stop.Resume = true
	case p.Panic:
		stop.Reason, stop.Description, stop.Text, stop.Hit = "exception", "panic", p.Message, nil
		if p.Caught {
			stop.Text = strings.TrimSpace(stop.Text + " (the program catches it)")
		}
	default:
		return d.lldbDialect.ReadStop(ctx, c, stop)
	}
	return stop
}
