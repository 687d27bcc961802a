package java

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Start:   adapters.Start{Accepts: []string{"java"}},
		Threads: adapters.Threads{Digest: d.Digest, Blocked: d.Blocked, TellsEndless: true},
		Values: adapters.Values{
			GlobalScope: true, // static fields
			Returned:    d.Returned, Opaque: d.Opaque,
			FullLength: d.FullLength, TextLength: d.TextLength,
		},
		Breakpoints: adapters.Breakpoints{Lines: d.Lines, Functions: d.Functions},
		Exceptions:  adapters.Exceptions{Origin: d.Origin, Sides: d.Sides},
		Machine:     adapters.Machine{Patch: d.Patch},
		Output:      adapters.Output{Noise: d.Noise},
		Tests:       adapters.Tests{Printed: d.TestsPrinted},
		Observing:   adapters.Observing{Enter: d.Enter, Cost: hitCost},
		Profiling:   adapters.Profiling{Take: d.takeProfile},
	}
}

// Services are all that is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		DebugPort: portOf,
		Record:    a.Record, Recordable: adapters.Recordable{Named: true, Moments: true, Each: true, Sparse: 10_000},
		Detect:  a.Detect,
		Profile: a.Profile,
		Prepare: a.Prepare, Prepared: component,
	}
}
