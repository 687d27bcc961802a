package recordingtest

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/internal/recording"
)

// Moments are those that a log tells of.
func Moments(log recording.Log) []recording.Event {
	return slices.DeleteFunc(slices.Clone(log.Events), func(e recording.Event) bool { return e.Kind != recording.Moment })
}

// Shown are values with their names, in a line.
func Shown(names []string, values []recording.Value) string {
	var parts []string
	for i, v := range values {
		parts = append(parts, fmt.Sprintf("%s=%s%s", names[i], v.Text, v.Error))
	}
	return strings.Join(parts, " ")
}
