package native

import "aidb-mcp/adapters"

// Capabilities of all native programs, whatever the debugger. What a debugger or a
// language adds or says in another way follows below.
func (c *common) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
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
		End:    adapters.End{Forks: c.Forks, HeldBySystem: true},
	}
}

// Capabilities of LLDB, in whatever adapter.
func (d *lldbDialect) Capabilities() adapters.Capabilities {
	c := d.common.Capabilities()
	c.End.Read, c.End.Release = d.ReadEnd, d.Release
	c.End.CrashAdvice = crashAdvice(d.lang)
	return c
}

// Capabilities of LLDB with a program of Rust.
func (d *rustDialect) Capabilities() adapters.Capabilities {
	c := d.lldbDialect.Capabilities()
	c.Exceptions.Sides = d.Sides
	c.Tests.Printed = d.rustTests.TestsPrinted
	return c
}

// Capabilities of gdb.
func (d *gdbDialect) Capabilities() adapters.Capabilities {
	c := d.common.Capabilities()
	c.Output.Sift = d.Sift
	return c
}

// Capabilities of gdb with a program of Rust.
func (d *rustGDBDialect) Capabilities() adapters.Capabilities {
	c := d.gdbDialect.Capabilities()
	c.Exceptions.Sides = d.Sides
	c.Tests.Printed = d.rustTests.TestsPrinted
	return c
}
