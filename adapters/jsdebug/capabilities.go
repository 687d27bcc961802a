package jsdebug

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/profiling"
)

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	can := adapters.Capabilities{
		Start: adapters.Start{
			Correct: d.Correct, AttachKeepsRunning: d.joins,
			Helper: d.watchdog, OfDebugger: d.OfDebugger, Accepts: []string{"node", "nodejs"},
		},
		Threads: adapters.Threads{Blocked: d.Blocked, BlockedRunning: true, Frame: d.Frame, OneIDSpace: true, IDsFromZero: true},
		Stops:   adapters.Stops{Read: d.ReadStop, Skipped: d.Skipped},
		Values: adapters.Values{
			Expression: adapters.Rewriting(d.Expression), Assignment: d.Assignment,
			Scopes:         d.Scopes,
			SnapshotScopes: true, // V8 reads the scopes once, when the program stops
			GlobalScope:    true, // what a file has at its top is global to its functions
			// Only at the return itself, where a step over a return statement ends.
			ReturnLocal: "Return value",
			Opaque:      d.Opaque, Indirect: d.Indirect,
			TextLength: d.TextLength, TextUnits: d.TextUnits, LongestValue: longestValue,
		},
		Breakpoints: adapters.Breakpoints{
			Definitions:            d.Definitions,
			StopsOnFailedCondition: true, // it is told to; that a condition failed it only prints in the program
			Bound:                  d.Bound,
			BindsLoadedSilently:    d.attached,
		},
		Exceptions: adapters.Exceptions{Conditioned: d.Conditioned, Details: d.Exception, Origin: d.Origin, Sides: d.Sides},
		Output:     adapters.Output{Sift: d.Sift, Noise: d.Noise, Planted: planted},
		Tests:      adapters.Tests{Run: d.tests.Load},
		End: adapters.End{
			Read: d.ReadEnd, Warning: d.EndWarning,
			RunsOnAtDisconnect: true, // it detaches first, and then kills
		},
		// Of a heap only: V8 samples nothing of a thread that stands.
		Profiling: adapters.Profiling{Take: d.TakeProfile, Standing: []profiling.What{profiling.Memory}},
	}
	if d.observer != nil {
		can.Observing.Enter, can.Observing.Cost = d.observer.Enter, hitCost
	}
	return can
}

// Services are all that is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		Files:   a.Files,
		Profile: a.Profile,
		Record:  a.Record, Recordable: adapters.Recordable{Named: true, Moments: true, Each: true, Sparse: 10_000},
		Detect: a.Detect,
	}
}
