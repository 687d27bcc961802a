package native

import "aidb-mcp/adapters"

// Capabilities of all native programs, whatever the debugger. What a debugger or a
// language adds or says in another way follows below.
func (c *common) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Machine: adapters.Machine{
			Memory:    c.Memory,
			AddressOf: c.AddressOf,
			Address:   c.Address,
			Registers: c.Registers,
			Jump:      c.Jump,
		},
	}
}
