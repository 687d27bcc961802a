package debugpy

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Exceptions: adapters.Exceptions{Details: d.Exception, Origin: d.Origin, Sides: d.Sides},
		Machine:    adapters.Machine{Patch: d.Patch},
		Output:     adapters.Output{Sift: d.Sift, Noise: d.Noise},
		Tests:      adapters.Tests{Run: d.TestsRun},
		End:        adapters.End{Warning: d.EndWarning},
	}
}
