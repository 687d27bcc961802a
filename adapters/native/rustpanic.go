package native

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// panicChoice is which panics stop the program.
type panicChoice int

const (
	uncaughtPanics panicChoice = iota // those that the user's code does not catch, and no test expects
	allPanics
	noPanics
)

const panicFilter = "rust_panic" // CodeLLDB's

// panics knows which panics stop the program.
type panics struct {
	mu     sync.Mutex
	wanted panicChoice
}

// choose reads uncaught, all and none, and says which other filters are asked for.
func (p *panics) choose(choice []string) (others []string, some bool) {
	wanted := noPanics
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
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted = wanted
	return others, wanted != noPanics
}

// Filters understands uncaught, all and none for panics; where the adapter has
// a filter for them it is set whenever they are wanted at all.
func (d *rustDialect) Filters(choice []string, advertised []godap.ExceptionBreakpointsFilter) ([]string, error) {
	known := slices.ContainsFunc(advertised, func(f godap.ExceptionBreakpointsFilter) bool { return f.Filter == panicFilter })
	others, wanted := d.panics.choose(choice)
	filters, err := d.lldbDialect.Filters(others, advertised)
	if err == nil && known && wanted {
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
	Again   bool   `json:"again"`   // a second place of the line where it has stopped already
	Start   bool   `json:"start"`   // the C runtime's main, which a breakpoint on "main" meets too
	Failure string `json:"failure"` // the error with which a ? leaves the test
	Test    *struct {
		Expects *string `json:"expects"` // what a panic must contain that it is to end by, if it is to end by one
	} `json:"test"` // that the panic is of, where the harness itself would catch it
}

// judge says whether the panic is one that nothing fails by, and what is to be
// known of it beyond its message.
func (it panicked) judge() (harmless bool, note string) {
	if it.Caught {
		return true, "the program catches it"
	}
	if it.Test == nil || it.Test.Expects == nil {
		return false, ""
	}
	if strings.Contains(it.Message, *it.Test.Expects) {
		return true, "the test expects it"
	}
	return false, fmt.Sprintf("the test expects a panic that says %q", *it.Test.Expects)
}

// read finds out whether a stop is a panic, or nothing to the user; it is not
// known when it is neither.
func (p *panics) read(ctx context.Context, c adapters.Caller, d *common, stop adapters.Stop) (read adapters.Stop, known bool) {
	var it panicked
	if stop.Reason == "signal" || d.ask(ctx, c, &it, "panic", stop.ThreadID) != nil {
		return stop, false
	}
	p.mu.Lock()
	wanted := p.wanted
	p.mu.Unlock()
	if it.Start || it.Again {
		stop.Resume = true
		return stop, true
	}
	if it.Failure != "" {
		stop.Reason, stop.Description, stop.Hit, stop.Resume = "exception", "test failure", nil, wanted == noPanics
		stop.Text = "the test is left by this ? with " + it.Failure
		return stop, true
	}
	if !it.Panic {
		return stop, false
	}
	harmless, note := it.judge()
	stop.Reason, stop.Description, stop.Text, stop.Hit = "exception", "panic", it.Message, nil
	if note != "" {
		stop.Text = strings.TrimSpace(stop.Text + " (" + note + ")")
	}
	stop.Resume = wanted == noPanics || wanted == uncaughtPanics && harmless
	return stop, true
}

// ReadStop finds out whether a stop is a panic, and whether it is one of those
// that were asked for.
func (d *rustDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if read, known := d.panics.read(ctx, c, &d.common, stop); known {
		return read
	}
	return d.lldbDialect.ReadStop(ctx, c, stop)
}
