package java

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Threads:     adapters.Threads{Digest: d.Digest, TellsEndless: true},
		Breakpoints: adapters.Breakpoints{Lines: d.Lines, Functions: d.Functions},
		Exceptions:  adapters.Exceptions{Origin: d.Origin, Sides: d.Sides},
		Machine:     adapters.Machine{Patch: d.Patch},
		Output:      adapters.Output{Noise: d.Noise},
		Tests:       adapters.Tests{Printed: d.TestsPrinted},
	}
}
