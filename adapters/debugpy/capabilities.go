package debugpy

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Machine: adapters.Machine{Patch: d.Patch},
		Output:  adapters.Output{Sift: d.Sift, Noise: d.Noise},
		Tests:   adapters.Tests{Run: d.TestsRun},
	}
}
