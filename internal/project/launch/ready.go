package launch

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"aidb-mcp/internal/fault"
)

// ServerReady is a serverReadyAction: what a server prints when it can be called,
// and the address that follows from it.
type ServerReady struct {
	Pattern   string `json:"pattern"`
	URIFormat string `json:"uriFormat"`
}

// What an editor takes where the entry does not say.
const listening = `listening on.* (https?://\S+|[0-9]+)`

// Compile checks the pattern and makes the function that finds the address in what
// a program has printed, empty when there is none yet.
func (r *ServerReady) Compile() (find func(printed string) string, err error) {
	pattern := r.Pattern
	if pattern == "" {
		pattern = listening
	}
	expression, err := expressionOf(pattern, "i")
	if err != nil {
		return nil, fault.New(fault.ConfigInvalid, "the pattern %q of serverReadyAction cannot be used: %w", pattern, err).WithField("launch_config_name")
	}
	return func(printed string) string {
		m := expression.FindStringSubmatch(printed)
		switch {
		case m == nil:
			return ""
		case len(m) < 2 || m[1] == "":
			return r.URIFormat
		case r.URIFormat != "":
			return strings.Replace(r.URIFormat, "%s", m[1], 1)
		case strings.Trim(m[1], "0123456789") == "":
			return "http://localhost:" + m[1]
		}
		return m[1]
	}, nil
}

// expressionOf compiles a pattern as an editor writes it. What looks ahead or back
// is not known here.
func expressionOf(text, flags string) (*regexp.Regexp, error) {
	if len(text) > longestPattern {
		return nil, fmt.Errorf("it is longer than %d bytes", longestPattern)
	}
	return regexp.Compile("(?m" + flags + ")" + text)
}

const longestPattern = 2000

// TaskRef names a task: by its label, or by its type and what that type knows it by.
type TaskRef struct {
	Label string
	raw   json.RawMessage // of a task that is written in place of a name
}

// Empty says that no task is named.
func (r TaskRef) Empty() bool { return r.Label == "" && len(r.raw) == 0 }

// UnmarshalJSON takes either form.
func (r *TaskRef) UnmarshalJSON(b []byte) error {
	if string(b) == "null" || json.Unmarshal(b, &r.Label) == nil {
		return nil
	}
	var named struct {
		Label string `json:"label"`
		Task  string `json:"task"`
		Type  string `json:"type"`
	}
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	if r.Label = named.Label; r.Label == "" && named.Type == "" {
		r.Label = named.Task
	}
	if r.Label == "" {
		r.raw = append(json.RawMessage{}, b...)
	}
	return nil
}
