package native

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// thrown is what our scripts say of an exception, or of an abort.
type thrown struct {
	Type     string `json:"type"` // empty for an abort
	What     string `json:"what"`
	Uncaught bool   `json:"uncaught"`
	// Thrown are the frames in which one was thrown first that is thrown again here, the
	// innermost first; empty where that is not known.
	Thrown []adapters.Thrown `json:"thrown"`
}

// stack is the text of the frames in which an exception was thrown first, as runtimes
// write them below it.
func stack(frames []adapters.Thrown) string {
	var b strings.Builder
	b.WriteString("thrown first")
	for _, f := range frames {
		fmt.Fprintf(&b, "\n    at %s (%s:%d)", f.Function, f.File, f.Line)
	}
	return b.String()
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

// testFailure is what our scripts say of a stop at which a test framework broke.
type testFailure struct {
	Failed  bool   `json:"failed"`
	Message string `json:"message"` // empty where the framework only prints it
}

// failedTest finds out whether a trap is that of an assertion of a test.
func (d *common) failedTest(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	var f testFailure
	if err := d.ask(ctx, c, &f, "test_failure", stop.ThreadID); err != nil || !f.Failed {
		return stop
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.signal = "" // the test goes on after it
	stop.Reason, stop.Description, stop.Hit, stop.Resume = "exception", "test failure", nil, d.none
	stop.Text = cmp.Or(f.Message, "an assertion of the test failed; the test's output says how")
	return stop
}

// ReadStop finds out whether a stop is about an exception, and whether the
// condition of its breakpoint could be evaluated at all.
func (d *lldbDialect) ReadStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if maybeSanitizer(stop) {
		var t thrown
		if err := d.ask(ctx, c, &t, "sanitizer", stop.ThreadID); err == nil && t.Type != "" {
			d.mu.Lock()
			d.report = true
			d.mu.Unlock()
			stop = t.into(stop)
			stop.Resume = d.none
			return stop
		}
	}
	return d.readStop(ctx, c, stop)
}

// maybeSanitizer says that a stop may be the report of a sanitizer of the program,
// for which LLDB's adapters have no reason of their own: CodeLLDB calls it
// unknown, lldb-dap a breakpoint that is nobody's.
func maybeSanitizer(stop adapters.Stop) bool {
	nobodys := stop.Reason == "breakpoint" && len(stop.Hit) == 0 && !strings.HasPrefix(stop.Description, "breakpoint")
	return stop.Description != "" && (stop.Reason == "unknown" || nobodys)
}

func (d *common) readStop(ctx context.Context, c adapters.Caller, stop adapters.Stop) adapters.Stop {
	if stop.Reason == "signal" && stop.Description == "SIGTRAP" {
		return d.failedTest(ctx, c, stop)
	}
	if stop.Reason == "breakpoint" {
		for _, id := range stop.Hit {
			var why string
			if err := d.ask(ctx, c, &why, "condition", id, stop.ThreadID); err == nil && why != "" {
				stop.Error = "the condition failed: " + plainError(why)
			}
		}
		if !d.throws.Load() {
			return stop
		}
	}
	var t thrown
	if err := d.ask(ctx, c, &t, "exception", stop.ThreadID); err != nil {
		return stop
	}
	d.mu.Lock()
	d.origin = t.Thrown
	d.mu.Unlock()
	return t.into(stop)
}

// Exception tells of one that a handler threw again the frames in which it was thrown
// first.
func (d *common) Exception(_ context.Context, _ adapters.Caller, _ int, said *godap.ExceptionInfoResponseBody) (*godap.ExceptionDetails, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.origin) == 0 {
		return nil, nil
	}
	details := godap.ExceptionDetails{}
	if said != nil && said.Details != nil {
		details = *said.Details
	}
	details.StackTrace = stack(d.origin)
	return &details, nil
}

// Origin has the frames of an exception that a handler threw again, and knows a sanitizer's report.
func (d *common) Origin(context.Context, adapters.Caller, int) (adapters.Origin, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return adapters.Origin{First: d.origin, Final: d.report}, nil
}
