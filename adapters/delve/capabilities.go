package delve

import "aidb-mcp/adapters"

// Capabilities of any Delve, wherever its process runs.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Machine: adapters.Machine{CarriesRegisters: true},
		Output:  adapters.Output{Sift: d.Sift},
		Tests:   adapters.Tests{Printed: d.TestsPrinted},
	}
}

// Capabilities of our own process, which can do more because it holds the debugger.
func (d *local) Capabilities() adapters.Capabilities {
	c := d.dialect.Capabilities()
	c.Machine.Memory, c.Machine.AddressOf, c.Machine.Address = d.Memory, d.AddressOf, d.Address
	c.Machine.Registers = d.Registers
	c.Machine.Jump = d.Jump
	c.Machine.Modules = d.Modules
	return c
}
