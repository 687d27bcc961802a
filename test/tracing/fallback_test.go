//go:build linux

package tracing

import (
	"strings"
	"testing"
	"time"

	"aidb-mcp/internal/testkit"
)

// A language that has no recorder, from a table in the settings, answers what log
// messages can tell, and says of the rest why not.
func TestWithoutARecorder(t *testing.T) {
	for _, l := range []struct {
		name, folder, file, i, total string
	}{
		{"plainruby", "ruby", "tour.rb", "i", "total"},
		{"perl", "perl", "tour.pl", "$i", "$total"},
	} {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			p := testkit.NewProgramOf(t, l.folder, "tour")
			s := testkit.Start(t, testkit.Options{Dir: p.Dir, Env: []string{testkit.CustomTables()}})
			values := A{"language": l.name, "target": l.file, "what": "values", "location": p.At(l.file, "sum"), "expressions": []string{l.i, l.total}, "timeout_ms": 60_000}
			r := s.OK("trace", values).Want("10", "data", "hits").Contains([]string{"data", "how"}, "log messages")
			if got := strings.Join(rows(t, r, l.i, l.total), "; "); !strings.HasPrefix(got, "0 0; 1 3; 2 4") || !strings.HasSuffix(got, "9 36") {
				t.Errorf("the rows are %q", got)
			}
			values["condition"] = l.total + " > 35"
			r = s.OK("trace", values).Want("1", "data", "hits")
			if got := strings.Join(rows(t, r, l.i, l.total), "; "); got != "9 36" {
				t.Errorf("the rows of the condition are %q, in\n%s", got, r)
			}
			for tool, args := range map[string]A{
				"trace": {"what": "calls", "functions": []string{"twice"}},
				"why":   {"expression": l.total, "location": p.At(l.file, "loop-end")},
			} {
				args["language"], args["target"], args["timeout_ms"] = l.name, l.file, 60_000
				s.Fail("CAPABILITY_NOT_SUPPORTED", tool, args).Contains([]string{"error", "message"}, "no recorder for "+l.name).Contains([]string{"error", "hint"}, "values")
			}
			s.Fail("SESSION_NOT_FOUND", "session", A{"session_id": l.name + "-1"}) // it was nobody's
			s.NothingLeft(10 * time.Second)
		})
	}
}
