package ruby

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Start: adapters.Start{AttachKeepsRunning: true, Accepts: []string{"ruby"}},
		Values: adapters.Values{
			Expression: expression, Peeks: true,
			Assignment: d.Assignment, TextLength: d.TextLength, TextUnits: d.TextUnits, LongestValue: longestValue,
			GlobalScope: true, Returned: d.Returned, Arguments: d.Arguments,
		},
		Observing:   adapters.Observing{Why: adapters.NoRecorder},
		Threads:     adapters.Threads{Digest: d.Digest, Blocked: d.Blocked, DigestsRunning: true, TellsEndless: true},
		Exceptions:  adapters.Exceptions{Sides: d.Sides},
		Output:      adapters.Output{Sift: d.Sift},
		Tests:       adapters.Tests{Run: d.testRun.Load},
		Machine:     adapters.Machine{Patch: d.Patch},
		Breakpoints: adapters.Breakpoints{Lines: d.Lines, Definitions: d.Definitions, StopsOnFailedCondition: true},
	}
}

// longestValue is where our server cuts texts, in characters.
const longestValue = 1 << 16

// Services are what is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		Advertise: a.Advertise, Record: a.Record, Recordable: adapters.Recordable{Named: true, Frames: true, Moments: true, Each: true, Leaves: 500_000, Sparse: 5000, Ends: true},
		Detect: a.Detect,
	}
}
