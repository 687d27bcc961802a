package debugpy

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	start := adapters.Start{Correct: d.Correct, AttachKeepsRunning: true}
	if d.remote {
		start.Serves, start.Accepts = servedBy, []string{"python", "pypy"}
	}
	return adapters.Capabilities{
		Start: start,
		Threads: adapters.Threads{
			Digest: d.Digest, Blocked: d.Blocked, TellsEndless: true,
			// A thread that waits for a lock or for input runs no Python, so that it cannot be
			// paused, but its stack can be read.
			DigestsRunning: true,
			Frame:          d.Frame,
		},
		Stops: adapters.Stops{Read: d.ReadStop, Rouse: d.Rouse, HidesLibraries: true},
		Values: adapters.Values{
			Expression: adapters.Rewriting(d.Expression), Set: d.Set,
			Arguments: d.Arguments, GlobalScope: true, Returned: d.Returned, Count: d.Count,
			TextLength: d.TextLength, TextUnits: d.TextUnits, LongestValue: 1 << 16,
		},
		Breakpoints: adapters.Breakpoints{
			Pending: d.Pending, Definitions: d.Definitions, EntryMode: "entry",
			StopsOnFailedCondition: true, // our own adapter has it do so
		},
		Exceptions: adapters.Exceptions{Details: d.Exception, Origin: d.Origin, Sides: d.Sides},
		Machine:    adapters.Machine{Patch: d.Patch},
		Output:     adapters.Output{Sift: d.Sift, Noise: d.Noise},
		Tests:      adapters.Tests{Run: d.testRun.Load},
		End:        adapters.End{Warning: d.EndWarning, Follows: d.follows},
		Observing:  adapters.Observing{Enter: d.Enter, Cost: hitCost},
		Profiling:  d.profiling(),
	}
}

// Services are all that is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		Advertise: a.Advertise, Files: a.Files, Profile: a.Profile,
		Record: a.Record, Recordable: adapters.Recordable{Named: true, Frames: true, Moments: true, Each: true, Sparse: 10_000, Stops: true},
		Detect: a.Detect,
	}
}
