//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-delve/delve/pkg/proc"
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
	vain        func(*target, proc.Thread) bool // that a stop is none after all; nil: never
	says        bool                            // what is said of it comes to the function of said next, where the stop is told
}

const (
	everyPanicName  = "every-panic"
	testFailureName = "test-failure"
	testFailName    = "silent-test-failure"

	failedExampleName = "failed-example"
	testSaidName      = "said-test-failure"
)

var ownFilters = []ownFilter{
	{wire.EveryPanic, "All panics, recovered or not", everyPanicName, wire.EveryPanicID, []string{"runtime.gopanic"}, nil, false},
	{wire.TestFailure, "Failing tests, at the call that fails them", testFailureName, wire.TestFailureID, failsWith, isAfterRace, true},
	{wire.TestFailure, "", testFailName, wire.TestFailureID, []string{"testing.(*common).Fail", "testing.(*common).FailNow"}, hasFailedBefore, false},
	{wire.TestFailure, "", failedExampleName, wire.TestFailureID, []string{exampleRun}, hasPassed, false},
}

// said is where a message is whole: the calls that fail a test with one have put it
// together by then, asking its values how they are to be printed. It stands only from
// such a call until there.
var said = ownFilter{wire.TestFailure, "", testSaidName, wire.TestFailureID, []string{"testing.(*common).log"}, isOnlyLog, false}

// withOwnFilters adds our filters to the capabilities.
func withOwnFilters(frame []byte) []byte {
	var reply godap.InitializeResponse
	if json.Unmarshal(frame, &reply) != nil || !reply.Success {
		return frame
	}
	for _, own := range ownFilters {
		if own.label == "" { // part of another
			continue
		}
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
	f.turn(said, false)
}

// turn sets or clears the breakpoints of a filter; stands says that it has some then.
func (f *front) turn(own ownFilter, on bool) (stands bool) {
	for i, function := range own.functions {
		name := fmt.Sprintf("%s-%d", own.breakpoints, i)
		have := f.dbg.FindBreakpointByName(name)
		switch {
		case on && have == nil:
			// A program without the function cannot do what it is about.
			if bp, err := f.dbg.CreateBreakpoint(&api.Breakpoint{Name: name, FunctionName: function}, "", nil, false); err == nil {
				f.own.add(bp.ID, own)
				stands = true
			}
		case on:
			stands = true
		case have != nil:
			_, _ = f.dbg.ClearBreakpoint(have)
		}
	}
	return stands
}

// ownIDs are the ids that Delve gave to our breakpoints, and those that we
// report in their place. mu guards them.
type ownIDs struct {
	mu      sync.Mutex
	filters map[int]ownFilter
}

func (o *ownIDs) add(id int, filter ownFilter) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.filters == nil {
		o.filters = map[int]ownFilter{}
	}
	o.filters[id] = filter
}

// translate puts our ids into the event of a stop at one of our breakpoints.
// When that is the only one, its filter may find that there is no reason to stop.
func (o *ownIDs) translate(frame []byte) (translated []byte, alone *ownFilter) {
	var stop godap.StoppedEvent
	if peek(frame).Event != "stopped" || json.Unmarshal(frame, &stop) != nil {
		return frame, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, id := range stop.Body.HitBreakpointIds {
		if filter, ours := o.filters[id]; ours {
			stop.Body.HitBreakpointIds[i] = filter.reported
			alone = &filter
		}
	}
	if len(stop.Body.HitBreakpointIds) != 1 {
		alone = nil
	}
	translated, err := json.Marshal(stop)
	if err != nil {
		return frame, nil
	}
	return translated, alone
}

// ownFilterOf is the name that the breakpoints of one of our filters share,
// empty for a breakpoint of another kind.
func ownFilterOf(breakpoint string) string {
	for _, own := range append([]ownFilter{said}, ownFilters...) {
		if strings.HasPrefix(breakpoint, own.breakpoints+"-") {
			if own.reported == wire.TestFailureID {
				return testFailureName
			}
			return own.breakpoints
		}
	}
	return ""
}
