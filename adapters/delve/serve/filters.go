//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-delve/delve/service/api"
	godap "github.com/google/go-dap"

	"aidb-mcp/adapters/delve/wire"
)

// ownFilter is an exception filter that we add to Delve's: breakpoints on
// functions of the library that are called when the thing happens.
type ownFilter struct {
	name, label string
	breakpoints string // what their names begin with, to tell them from Delve's and the user's
	reported    int    // the id that a stop at one of them reports
	functions   []string
}

const (
	everyPanicName  = "every-panic"
	testFailureName = "test-failure"
)

var ownFilters = []ownFilter{
	{wire.EveryPanic, "All panics, recovered or not", everyPanicName, wire.EveryPanicID, []string{"runtime.gopanic"}},
	{wire.TestFailure, "Failing tests, at the call that fails them", testFailureName, wire.TestFailureID, []string{
		"testing.(*common).Error", "testing.(*common).Errorf", "testing.(*common).Fatal", "testing.(*common).Fatalf",
	}},
}

// withOwnFilters adds our filters to the capabilities.
func withOwnFilters(frame []byte) []byte {
	var reply godap.InitializeResponse
	if json.Unmarshal(frame, &reply) != nil || !reply.Success {
		return frame
	}
	for _, own := range ownFilters {
		reply.Body.ExceptionBreakpointFilters = append(reply.Body.ExceptionBreakpointFilters,
			godap.ExceptionBreakpointsFilter{Filter: own.name, Label: own.label})
	}
	more, err := json.Marshal(reply)
	if err != nil {
		return frame
	}
	return more
}

// catch sets or clears the breakpoints behind our filters and leaves the others
// to Delve. While the program runs Delve refuses, and so nothing is done.
func (f *front) catch(req request, frame []byte) {
	defer f.inner.write(frame)
	var args godap.SetExceptionBreakpointsArguments
	if json.Unmarshal(req.Arguments, &args) != nil || f.dbg.IsRunning() {
		return
	}
	for _, own := range ownFilters {
		f.turn(own, slices.Contains(args.Filters, own.name))
	}
}

func (f *front) turn(own ownFilter, on bool) {
	for i, function := range own.functions {
		name := fmt.Sprintf("%s-%d", own.breakpoints, i)
		have := f.dbg.FindBreakpointByName(name)
		switch {
		case on && have == nil:
			// A program without the function cannot do what it is about.
			if bp, err := f.dbg.CreateBreakpoint(&api.Breakpoint{Name: name, FunctionName: function}, "", nil, false); err == nil {
				f.own.add(bp.ID, own.reported)
			}
		case !on && have != nil:
			_, _ = f.dbg.ClearBreakpoint(have)
		}
	}
}

// ownIDs are the ids that Delve gave to our breakpoints, and those that we
// report in their place. mu guards them.
type ownIDs struct {
	mu       sync.Mutex
	reported map[int]int
}

func (o *ownIDs) add(id, reported int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.reported == nil {
		o.reported = map[int]int{}
	}
	o.reported[id] = reported
}

// translate puts our ids into the event of a stop at one of our breakpoints.
func (o *ownIDs) translate(frame []byte) []byte {
	var stop godap.StoppedEvent
	if peek(frame).Event != "stopped" || json.Unmarshal(frame, &stop) != nil {
		return frame
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, id := range stop.Body.HitBreakpointIds {
		if reported, ours := o.reported[id]; ours {
			stop.Body.HitBreakpointIds[i] = reported
		}
	}
	translated, err := json.Marshal(stop)
	if err != nil {
		return frame
	}
	return translated
}

// ownFilterOf is the name that the breakpoints of one of our filters share,
// empty for a breakpoint of another kind.
func ownFilterOf(breakpoint string) string {
	for _, own := range ownFilters {
		if strings.HasPrefix(breakpoint, own.breakpoints+"-") {
			return own.breakpoints
		}
	}
	return ""
}
