package recordingtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

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

// Instance is the moment that is expected of one instance of a type, of all that there are
// in the run.
type Instance struct {
	Line            int    // 0: there is no moment
	Before, Then    string // as [Shown]; empty: anything
	Instance, Among int64
	All             int64
}

// Check compares it with what a run has noted.
func (want Instance) Check(t *testing.T, log recording.Log) {
	t.Helper()
	if log.Judged.Instances != want.All || (log.Judged.Times > 0) != (want.All > 0) {
		t.Errorf("%+v", log.Judged)
	}
	list := Moments(log)
	if want.Line == 0 {
		if len(list) > 0 {
			t.Errorf("%+v", list)
		}
		return
	}
	if len(list) != 1 {
		t.Fatalf("%d moments, %+v", len(list), log.Events)
	}
	m := list[0]
	if _, line := recording.FileLine(m.At); line != want.Line || m.Instance() != want.Instance || m.Among != want.Among {
		t.Errorf("at %s, instance %d of %d", m.At, m.Instance(), m.Among)
	}
	if before := Shown(m.Names, m.Before()); want.Before != "" && before != want.Before {
		t.Errorf("before: %s", before)
	}
	if then := Shown(m.Names, m.Values); want.Then != "" && then != want.Then {
		t.Errorf("then: %s", then)
	}
}
