package ruby

import (
	"encoding/json"
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// testsMark begins the output event by which boot/tests.rb reports what a run of tests has
// come to, as JSON.
const testsMark = "\x1dtests "

// Sift takes the reports of our server.
func (d *dialect) Sift(event godap.OutputEventBody) (kept godap.OutputEventBody, keep bool) {
	if report, ok := strings.CutPrefix(event.Output, testsMark); ok {
		run := &adapters.TestRun{}
		if json.Unmarshal([]byte(report), run) == nil {
			d.testRun.Store(run)
		}
		return event, false
	}
	return event, event.Category != "telemetry"
}
