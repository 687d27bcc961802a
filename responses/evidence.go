package responses

import "fmt"

// Evidence is an observation on which a finding stands.
type Evidence struct {
	Of    string `json:"of"`              // the finding: culprit, sides, place
	Run   int    `json:"run"`             // of the question, from 1
	Event int64  `json:"event,omitempty"` // of that run's recording; 0: where the program stood
	At    string `json:"at,omitempty"`
	Read  string `json:"read"` // what was read, and its value
}

// String is the observation in one line.
func (e Evidence) String() string {
	line := fmt.Sprintf("%s: run %d", e.Of, e.Run)
	if e.Event > 0 {
		line += fmt.Sprintf(", event %d", e.Event)
	}
	if e.At != "" {
		line += ", " + e.At
	}
	return line + ": " + e.Read
}
