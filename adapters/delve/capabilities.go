package delve

import (
	"aidb-mcp/adapters"
	"aidb-mcp/adapters/delve/pprof"
)

// Capabilities of any Delve, wherever its process runs.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Stops:   adapters.Stops{Transient: d.Transient},
		Threads: adapters.Threads{Frame: d.Frame},
		Values: adapters.Values{
			Expression: adapters.Rewriting(d.Expression), EvaluationFailed: d.Judge, CallFailed: d.Failed,
			Assignment: d.Assignment, Indirect: d.Indirect, FullLength: d.FullLength,
		},
		Breakpoints: adapters.Breakpoints{
			DropsWatchpoints: true, // it clears one on a local when its function returns
		},
		Machine: adapters.Machine{CarriesRegisters: true},
		Output:  adapters.Output{Sift: d.Sift},
		Tests:   adapters.Tests{Printed: d.TestsPrinted},
		End:     adapters.End{HeldBySystem: true},

		Profiling: profilingOf(),
	}
}

// Capabilities of our own process, which can do more because it holds the debugger.
func (d *local) Capabilities() adapters.Capabilities {
	c := d.dialect.Capabilities()
	c.Threads.Digest, c.Threads.TellsEndless = d.Digest, true
	c.Threads.Blocked = d.Blocked
	c.Stops.Together = d.Together
	c.Values.Set, c.Values.Arguments, c.Values.Globals, c.Values.Returned = d.Set, d.Arguments, d.Globals, d.Returned
	c.Breakpoints.Lines, c.Breakpoints.Functions, c.Breakpoints.FunctionPlace = d.Lines, d.Functions, d.Place
	c.Breakpoints.ReadsCondition, c.Breakpoints.ReadsLogged = d.ReadsCondition, d.ReadsLogged
	c.Exceptions.Sides = d.Sides
	c.Machine.Memory, c.Machine.AddressOf, c.Machine.Address = d.Memory, d.AddressOf, d.Address
	c.Machine.Registers = d.Registers
	c.Machine.Jump = d.Jump
	c.Machine.Modules = d.Modules
	return c
}

// Capabilities of a Delve whose process is not ours: it goes on when we have gone.
func (d *headless) Capabilities() adapters.Capabilities {
	c := d.dialect.Capabilities()
	c.Stops.Read = d.ReadStop
	c.End.StandsAtDisconnect = true
	c.End.EndsAtDisconnect = adapters.Ending{
		Said: "Detaching and terminating target process",
		Why:  "its Delve has ended it, as it does with what it has started when it runs without --accept-multiclient",
	}
	return c
}

// Services are all that is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		Advertise: a.Advertise, Files: a.Files, Address: pprof.Address,
		Profile: a.Profile,
		Record:  a.Record, Ahead: a.Ahead, Recordable: adapters.Recordable{Named: true, Moments: true, Leaves: 10_000_000},
		Detect: a.Detect,
	}
}
