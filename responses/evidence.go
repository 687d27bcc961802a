package responses

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Evidence is something that was read, on which a conclusion stands.
type Evidence struct {
	Of    string `json:"of,omitempty"`    // the finding, where there are several: culprit, sides, place
	Run   int    `json:"run,omitempty"`   // of the question, from 1
	Event int64  `json:"event,omitempty"` // of that run's recording
	At    string `json:"at,omitempty"`
	Read  string `json:"read"` // "total = 5"
}

// String is the observation in one line.
func (e Evidence) String() string {
	said := []string{fmt.Sprintf("run %d", e.Run)}
	if e.Of != "" {
		said[0] = e.Of + ": " + said[0]
	}
	if e.Event > 0 {
		said = append(said, fmt.Sprintf("event %d", e.Event))
	}
	if e.At != "" {
		said = append(said, e.At)
	}
	return strings.Join(said, ", ") + ": " + e.Read
}

func writeEvidence(p *page, list []Evidence) {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.String()
	}
	p.rows("evidence", lines)
}

// Ending is how one of two runs ended.
type Ending struct {
	Verdict string `json:"verdict"` // ok, exit_code, signal, or cut by us
	Code    *int   `json:"exit_code,omitempty"`
	Signal  string `json:"signal,omitempty"`
	Cut     bool   `json:"cut,omitempty"`
}

func (e Ending) line() string {
	switch {
	case e.Signal != "":
		return e.Verdict + " " + e.Signal
	case e.Code != nil:
		return fmt.Sprintf("%s, exit_code %d", e.Verdict, *e.Code)
	}
	return e.Verdict
}

// Sameness is whether two runs are the same.
type Sameness string

// What is known of that. Of runs that are not compared in full no difference was seen.
const (
	Same      Sameness = "true"
	NotSame   Sameness = "false"
	NotInFull Sameness = "not compared in full"
)

// MarshalJSON writes what is known as true or false.
func (s Sameness) MarshalJSON() ([]byte, error) {
	if s == Same || s == NotSame {
		return []byte(s), nil
	}
	return json.Marshal(string(s))
}
