package delve

import (
	"strings"

	"aidb-mcp/adapters"
)

// testRun is what a test binary was asked to run.
type testRun struct {
	dir, name string // of the package, and of the test; empty for all
}

// TestsPrinted: package testing warns on stderr when there was nothing to run,
// except of benchmarks, each of which prints a line.
func (d *dialect) TestsPrinted(lines func(stream, text string) []string) (run adapters.TestRun, known bool) {
	switch {
	case d.tests == nil:
		return run, false
	case len(lines("stderr", "testing: warning: no tests to run")) > 0:
		return adapters.TestRun{Near: subtestsLike(d.tests.dir, d.tests.name)}, true
	case strings.HasPrefix(d.tests.name, "Benchmark"):
		return adapters.TestRun{Ran: len(lines("stdout", "Benchmark"))}, len(lines("stdout", "PASS")) > 0
	}
	return run, false
}
