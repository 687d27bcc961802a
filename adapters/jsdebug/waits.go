package jsdebug

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/quoted"
)

// pendingPromises says what is not looked at.
const pendingPromises = "promises that are pending: V8 does not list them, nor what they wait for"

// Blocked tells what keeps the event loop of a connection's program, or worker, waiting, as node itself
// lists it. It runs no code of the program.
func (*dialect) Blocked(ctx context.Context, c adapters.Caller) (adapters.Waits, error) {
	told := adapters.Waits{Notes: []string{pendingPromises}}
	var body godap.EvaluateResponseBody
	const ask = `JSON.stringify(globalThis.process && process.getActiveResourcesInfo ? process.getActiveResourcesInfo() : null)`
	if err := c.Call(ctx, "evaluate", godap.EvaluateArguments{Expression: ask, Context: "watch"}, &body); err != nil {
		return adapters.Waits{}, err
	}
	var resources []string
	text := body.Result
	if plain, is := quoted.Text(text); is {
		text = plain
	}
	if err := json.Unmarshal([]byte(text), &resources); err != nil || resources == nil {
		told.Notes = append(told.Notes, "what keeps the event loop waiting, which this runtime does not list")
		return told, nil
	}
	if len(resources) == 0 {
		return told, nil
	}
	told.Waiters = []adapters.Waiter{{Key: "loop", Who: "event loop", For: countResources(resources)}}
	return told, nil
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
