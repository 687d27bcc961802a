package native

import (
	"aidb-mcp/adapters"
	"aidb-mcp/adapters/native/build"
)

// Capabilities of all native programs, whatever the debugger. What a debugger or a
// language adds or says in another way follows below.
func (c *common) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Start:   adapters.Start{Correct: c.Correct, Follow: followsFirst, FollowsWhich: "debugs the first of them in the program's place"},
		Threads: adapters.Threads{Waits: c.Waits, Blocked: c.Blocked, Frame: c.Frame},
		Values: adapters.Values{
			Arguments: c.Arguments, Unset: c.Unset, FullLength: c.FullLength,
		},
		Breakpoints: adapters.Breakpoints{
			Lines: c.Lines, Functions: c.Functions, Bound: c.Bound,
			FunctionRequest: c.FunctionRequest, FunctionReply: c.FunctionReply,
			ReadsCondition: c.ReadsCondition, Placed: c.Placed,
		},
		Exceptions: adapters.Exceptions{Details: c.Exception, Origin: c.Origin},
		Machine: adapters.Machine{
			Memory:    c.Memory,
			AddressOf: c.AddressOf,
			Address:   c.Address,
			Registers: c.Registers,
			Jump:      c.Jump,
		},
		Output: adapters.Output{Sift: c.Sift},
		Tests:  adapters.Tests{Printed: c.TestsPrinted},
		End:    adapters.End{Forks: c.Forks, Forked: c.Forked, HeldBySystem: true},

		Profiling: profilingOf(c.lang, c.modules),
	}
}

// Capabilities of LLDB, in whatever adapter.
func (d *lldbDialect) Capabilities() adapters.Capabilities {
	c := d.common.Capabilities()
	c.Stops = adapters.Stops{
		Read: d.ReadStop, Lineless: d.Lineless,
		Together: d.Together, AtOnePlace: d.AtOnePlace, RepeatsStops: true, LosesEarlyPauses: true, ConfirmsResumes: true, EntersLoops: d.lang != build.Rust,
	}
	c.Values.Set, c.Values.Returned = d.Set, d.Returned
	c.End.Read, c.End.Release = d.ReadEnd, d.Release
	c.End.CrashAdvice = d.guard.crashAdvice
	return c
}

// Capabilities of CodeLLDB.
func (d *codeLLDBDialect) Capabilities() adapters.Capabilities {
	c := d.lldbDialect.Capabilities()
	c.Values.Expression, c.Values.Page = adapters.Rewriting(d.Expression), d.Page
	c.Breakpoints.WatchID, c.Breakpoints.IgnoresWatchConditions = d.AdapterDataID, true
	return c
}

// Capabilities of lldb-dap.
func (d *lldbDAPDialect) Capabilities() adapters.Capabilities {
	c := d.lldbDialect.Capabilities()
	c.Values.Expression, c.Values.Returned = d.Resolve, d.Returned
	c.Breakpoints.WatchID = d.MemoryDataID
	return c
}

// Capabilities of LLDB with a program of Rust.
func (d *rustDialect) Capabilities() adapters.Capabilities {
	c := d.lldbDialect.Capabilities()
	c.Start.Correct = d.Correct
	c.Threads.Frame = d.Frame
	c.Stops.Read = d.ReadStop
	c.Values.Expression, c.Values.EvaluationFailed, c.Values.Returned = d.ExpressionIn, d.Judge, d.Returned
	c.Values.Declared, c.Values.DeclaredParts = d.Declared, d.DeclaredParts
	c.Exceptions.Sides = d.Sides
	c.Tests.Printed = d.TestsPrinted
	return c
}

// Capabilities of CodeLLDB with a program of Rust.
func (d *rustCodeDialect) Capabilities() adapters.Capabilities {
	c := d.rustDialect.Capabilities()
	c.Values.Page = d.Page
	c.Breakpoints.WatchID, c.Breakpoints.IgnoresWatchConditions = d.AdapterDataID, true
	return c
}

// Capabilities of lldb-dap with a program of Rust.
func (d *rustDAPDialect) Capabilities() adapters.Capabilities {
	c := d.rustDialect.Capabilities()
	c.Breakpoints.WatchID = d.MemoryDataID
	return c
}

// Capabilities of gdb.
func (d *gdbDialect) Capabilities() adapters.Capabilities {
	c := d.common.Capabilities()
	c.Start.Correct, c.Start.IgnoresRequestsUntilProcess = d.Correct, true
	c.Stops = adapters.Stops{Read: d.ReadStop, Lineless: d.Lineless, LosesEarlyPauses: true, EntersLoops: d.lang != build.Rust}
	c.Values.Expression, c.Values.Assignment, c.Values.Returned = adapters.Rewriting(d.Expression), d.Assignment, d.Returned
	c.Output.Sift = d.Sift
	c.End.Release = d.Release
	return c
}

// Capabilities of gdb with a program of Rust.
func (d *rustGDBDialect) Capabilities() adapters.Capabilities {
	c := d.gdbDialect.Capabilities()
	c.Values.Expression, c.Values.Assignment, c.Values.Returned = adapters.Rewriting(d.Expression), d.Assignment, d.Returned
	c.Start.Correct = d.Correct
	c.Threads.Frame = d.Frame
	c.Stops.Read = d.ReadStop
	c.Exceptions.Sides = d.Sides
	c.Tests.Printed = d.TestsPrinted
	return c
}

// Services are all that is done without a session.
func (a *adapter) Services() adapters.Services {
	return adapters.Services{
		Files:   a.Files,
		Profile: a.Profile,
		Record:  a.Record, Recordable: adapters.Recordable{Named: true, Frames: true, Moments: true, Pure: true},
		Detect: a.Detect,
	}
}
