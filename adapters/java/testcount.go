package java

import (
	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// junitCount is a line of the table that JUnit prints when a run is over.
var junitCount = pattern.New(`^\[ *(\d+) (tests|containers) (\w+) *\]\r?$`)

// isEmptyCount says that a line of that table tells nothing. That of the tests
// which were started always does.
func isEmptyCount(line string) bool {
	m := junitCount.FindStringSubmatch(line)
	if m == nil || m[2] == "tests" && m[3] == "started" {
		return false
	}
	return m[2] == "containers" || m[3] == "found" || m[1] == "0"
}

// TestsPrinted goes by JUnit's table and by TestNG's last line.
func (d *dialect) TestsPrinted(lines func(stream, text string) []string) (run adapters.TestRun, known bool) {
	if !d.tests {
		return run, false
	}
	none := len(lines("stdout", "[         0 tests started ")) + len(lines("stdout", "Total tests run: 0,"))
	all := len(lines("stdout", " tests started ")) + len(lines("stdout", "Total tests run: "))
	if all > none {
		run.Ran = all - none
	}
	return run, all > 0
}
