package native

import (
	"context"
	"strings"

	"aidb-mcp/adapters"
)

// thrown is what our scripts say of an exception, or of an abort.
type thrown struct {
	Type     string `json:"type"` // empty for an abort
	What     string `json:"what"`
	Uncaught bool   `json:"uncaught"`
}

// into tells a stop as the exception that it is about. That one which nobody
// caught ends the program with a signal is remembered for its end.
func (t thrown) into(stop adapters.Stop) adapters.Stop {
	switch {
	case t.Type == "" && t.What != "" && stop.Reason == "signal":
		stop.Text = t.What
	case t.Type != "":
		stop.Reason, stop.Description, stop.Text = "exception", plainType(t.Type), t.What
		stop.Hit = nil
		if t.Uncaught {
			stop.Text = strings.TrimPrefix(stop.Text+" (nobody catches it)", " ")
		}
	}
	return stop
}

// ReadStop finds out whether a stop is about an exception, and whether the
// condition of its breakpoint could be evaluated at all.
func (d *lldbDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	return d.readStop(ctx, c, stop)
}

func (d *common) readStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason == "breakpoint" {
		for _, id := range stop.Hit {
			var why string
			if err := d.ask(ctx, c, &why, "condition", id); err == nil && why != "" {
				stop.Error = "the condition failed: " + plainError(why)
			}
		}
		if !d.stopsAtThrows() {
			return stop
		}
	}
	var t thrown
	if err := d.ask(ctx, c, &t, "exception", stop.ThreadID); err != nil {
		return stop
	}
	return t.into(stop)
}
