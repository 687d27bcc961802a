package debugpy

import (
	"strings"
	"testing"

	godap "github.com/google/go-dap"
)

// That processes were cut off is told only where the adapter has reported it.
func TestChildrenCutOff(t *testing.T) {
	d := &dialect{}
	if got := d.EndWarning(); got != "" {
		t.Errorf("without a report: %s", got)
	}
	for report, want := range map[string]string{`{"Processes": 1}`: "a child process", `{"Processes": 3}`: "3 child processes", `{"Processes": 0}`: ""} {
		if _, keep := d.Sift(godap.OutputEventBody{Category: "console", Output: leftMark + report}); keep {
			t.Error("the report is shown as output")
		}
		if got := d.EndWarning(); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q", report, got)
		}
	}
}
