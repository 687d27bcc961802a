package custom

import "aidb-mcp/adapters"

// Capabilities are all that is asked beyond the protocol.
func (d *dialect) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Start:      adapters.Start{Correct: d.Correct, NoInput: d.table.noInput(), AttachEndsInPause: d.table.PausesJoined},
		Stops:      adapters.Stops{Read: d.ReadStop, StepOutStopsInside: d.table.OutStays},
		Exceptions: adapters.Exceptions{StopsUncaught: d.table.Exception.Stop != ""},
		Output:     adapters.Output{Sift: d.Sift, Noise: d.Noise},
		End:        adapters.End{DoubtfulExitCode: d.table.ExitLies},
	}
}
