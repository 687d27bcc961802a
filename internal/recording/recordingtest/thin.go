// Package recordingtest reads for the recorders' tests what a run has noted.
package recordingtest

import "aidb-mcp/internal/recording"

// Entered are the calls of each function that were noted.
func Entered(log recording.Log) map[string][]recording.Event {
	calls := map[string][]recording.Event{}
	for _, e := range log.Events {
		if e.Kind == recording.Enter {
			calls[e.Function] = append(calls[e.Function], e)
		}
	}
	return calls
}

// Counted are the counts of calls that a log tells last, by function.
func Counted(log recording.Log) map[string]recording.Event {
	counts := map[string]recording.Event{}
	for _, e := range log.Events {
		if e.Kind == recording.Counted {
			counts[e.Function] = e
		}
	}
	return counts
}

// After are the counts after which so many calls of each function come yet.
func After(counts map[string]recording.Event, last int64) map[string]int64 {
	after := map[string]int64{}
	for _, e := range counts {
		after[e.Place] = e.Hit - last
	}
	return after
}
