package handlers

import (
	"aidb-mcp/investigate/evidence"
	"aidb-mcp/responses"
)

// evidenceRows are observations as a reply shows them, each once; rel names a place.
func evidenceRows(list []evidence.Observation, rel func(at string) string) []responses.Evidence {
	var shown []responses.Evidence
	seen := map[evidence.Observation]bool{}
	for _, o := range list {
		if seen[o] {
			continue
		}
		seen[o] = true
		e := responses.Evidence{Run: o.Run, Event: o.Event, Read: o.What}
		if o.At != "" {
			e.At = rel(o.At)
		}
		if o.Value != "" {
			e.Read += " = " + responses.Shorten(o.Value, longestOperand)
		}
		shown = append(shown, e)
	}
	return shown
}
