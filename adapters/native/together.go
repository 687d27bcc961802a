package native

import (
	"context"
	"slices"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
)

// Together asks our script. CodeLLDB tells of one thread at each stop, lldb-dap of
// each in an event of its own, the last of which may come when the program has been
// let go and stands at its next stop. A program of one thread, whose number is the
// system's under LLDB, is spared the question, but for a trap: it may stand for a
// breakpoint.
func (d *lldbDialect) Together(ctx context.Context, c adapters.Caller, event godap.StoppedEventBody) (adapters.Gathered, error) {
	if d.core || !d.remote && !isTrap(event) && process.OnlyThread(event.ThreadId) { // nothing of a core file goes on
		return adapters.Gathered{}, nil
	}
	var found struct {
		New     bool                     `json:"new"`
		Threads []godap.StoppedEventBody `json:"threads"`
		Nothing []int                    `json:"nothing"` // threads that the step of another has stopped
	}
	if err := d.ask(ctx, c, &found, "stops"); err != nil {
		return adapters.Gathered{}, err
	}
	if !found.New {
		return adapters.Gathered{Known: true}, nil
	}
	if slices.Contains(found.Nothing, event.ThreadId) {
		return adapters.Gathered{Nothing: true, Others: found.Threads}, nil
	}
	return together(event, found.Threads), nil
}

// together tells the event's thread from the others, and takes another for it when
// it has not stopped for what the event says.
func together(event godap.StoppedEventBody, threads []godap.StoppedEventBody) adapters.Gathered {
	i := slices.IndexFunc(threads, func(e godap.StoppedEventBody) bool { return e.ThreadId == event.ThreadId })
	hit := event.Reason == "breakpoint" && len(event.HitBreakpointIds) > 0 || event.Reason == "step"
	switch {
	case i < 0 && (!hit || len(threads) == 0):
		return adapters.Gathered{Others: threads}
	case i < 0:
		i = 0
	case isTrap(event) && len(threads[i].HitBreakpointIds) > 0: // at a breakpoint that LLDB was about to set
	case !hit || threads[i].Reason == event.Reason && slices.Equal(threads[i].HitBreakpointIds, event.HitBreakpointIds):
		return adapters.Gathered{Others: slices.Delete(threads, i, i+1)}
	}
	first := threads[i]
	return adapters.Gathered{Event: &first, Others: slices.Delete(threads, i, i+1)}
}

// AtOnePlace asks our script: of several breakpoints at one place, CodeLLDB names the first.
func (d *lldbDialect) AtOnePlace(ctx context.Context, c adapters.Caller, thread int) ([]int, error) {
	var ids []int
	err := d.ask(ctx, c, &ids, "here", thread)
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mergeParts(ids), err
}

// isTrap says that LLDB knows of no breakpoint where a trap has sprung.
func isTrap(e godap.StoppedEventBody) bool {
	m := lldbSignal.FindStringSubmatch(e.Description)
	return m != nil && m[1] == "SIGTRAP"
}
