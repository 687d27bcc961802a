package native

import (
	"strings"

	godap "github.com/google/go-dap"

	"aidb-mcp/adapters"
)

// rustTests knows what Rust's own test harness says at the end of a run.
type rustTests struct {
	run bool // the program is that harness
}

// isHarness says that a frame is of the main function that the compiler writes for a run of
// tests: it has the first line of the crate, whatever stands there.
func (t rustTests) isHarness(frame godap.StackFrame) bool {
	crate, name, _ := strings.Cut(frame.Name, "::")
	return t.run && frame.Line == 1 && crate != "" && name == "main"
}

// TestsPrinted goes by the line that sums a run up. A test that nothing has
// stopped in fails by its result, or because it did not panic: that is printed,
// and belongs to the test where there was only one.
func (t rustTests) TestsPrinted(lines func(stream, text string) []string) (run adapters.TestRun, known bool) {
	if !t.run {
		return run, false
	}
	all := lines("stdout", "test result: ")
	none := len(lines("stdout", "test result: ok. 0 passed; 0 failed;"))
	if none > 0 {
		none = len(lines("stdout", "; 0 measured;")) // benchmarks are neither
	}
	run.Ran = max(len(all)-none, 0)
	if len(lines("stdout", "running 1 test")) == 1 && len(lines("stdout", "test result: FAILED.")) == 1 {
		run.Why = whyFailed(lines)
	}
	return run, len(all) > 0
}

func whyFailed(lines func(stream, text string) []string) string {
	for _, line := range lines("stdout", "note: test did not panic as expected") {
		return "the " + strings.TrimPrefix(line, "note: ")
	}
	failed := ""
	for _, line := range lines("stderr", "Error: ") {
		if strings.HasPrefix(line, "Error: ") {
			failed = "the test returned " + line
		}
	}
	return failed
}
