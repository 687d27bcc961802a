package custom

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Output: adapters.Output{Sift: d.Sift, Noise: d.Noise},
	}
}
