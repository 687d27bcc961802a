package custom

import "aidb-mcp/adapters"

// Capabilities are what the table gives.
func (d *dialect) Capabilities() adapters.Capabilities {
	c := adapters.Capabilities{
		Observing:   adapters.Observing{Why: adapters.NoRecorder},
		Start:       adapters.Start{Correct: d.Correct, NoInput: d.table.noInput(), AttachEndsInPause: d.table.PausesJoined},
		Stops:       adapters.Stops{Read: d.ReadStop, StepOutStopsInside: d.table.OutStays},
		Values:      adapters.Values{Expression: adapters.Rewriting(d.Expression), EvaluationFailed: d.Judge, Assignment: d.Assignment},
		Breakpoints: adapters.Breakpoints{IgnoresWatchConditions: true},
		Exceptions:  adapters.Exceptions{StopsUncaught: d.table.Exception.Stop != ""},
		Output:      adapters.Output{Sift: d.Sift, Noise: d.Noise},
		// What a debugger does with its breakpoints when it is left is not known of all: they are
		// taken back before.
		End: adapters.End{DoubtfulExitCode: d.table.ExitLies, StandsAtDisconnect: true, LeavesBy: d.table.Leave},
	}
	if d.table.function != nil {
		c.Breakpoints.Definitions = d.Definitions
	}
	return c
}

// Services are none.
func (*adapter) Services() adapters.Services { return adapters.Services{} }
