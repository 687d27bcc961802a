package jsdebug

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
)

// Blocked tells who waits for promises in a connection's program, or worker, and what keeps its event
// loop waiting, as node itself lists it. It runs no code of the program, and needs none to run.
func (*dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	l, err := connectLive(ctx, c)
	if err != nil {
		return adapters.Waits{}, err
	}
	defer l.c.Close()
	var waits adapters.Waits
	if waits.Waiters, waits.Notes, err = l.pending(ctx); err != nil {
		if ctx.Err() != nil {
			return waits, err
		}
		waits.Notes = []string{"who waits for promises: " + err.Error()}
	}
	used, err := l.usage(ctx)
	if err != nil {
		return waits, err
	}
	switch {
	case used.Resources == nil:
		waits.Notes = append(waits.Notes, "what keeps the event loop waiting, which this runtime does not list")
	case len(used.Resources) > 0:
		waits.Waiters = append(waits.Waiters, adapters.Waiter{Key: "loop", Who: "event loop", For: countResources(used.Resources)})
	}
	return waits, nil
}

// countResources is "2 Timeout, 1 TCPServerWrap".
func countResources(names []string) string {
	counts := map[string]int{}
	for _, name := range names {
		counts[name]++
	}
	var all []string
	for name, n := range counts {
		all = append(all, fmt.Sprintf("%d %s", n, name))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
