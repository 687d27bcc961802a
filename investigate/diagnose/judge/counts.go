package judge

import (
	"strconv"
	"strings"

	"aidb-mcp/internal/text/pattern"
)

// tally is how a test framework ends its report: the words after which, or before
// which, it writes how many tests passed and failed.
var (
	passedTests = []*pattern.Pattern{
		pattern.New(`(?m)\b(\d+) passed\b`),                  // pytest, jest, vitest, cargo, node's own
		pattern.New(`(?m)^\s*(\d+) passing\b`),               // mocha
		pattern.New(`(?m)^(?:# |ℹ )pass (\d+)`),              // node:test
		pattern.New(`(?m)^\[  PASSED  \] (\d+) tests?`),      // GoogleTest
		pattern.New(`(?m)^\[\s+(\d+) tests successful\s+\]`), // JUnit's console
	}
	failedTests = []*pattern.Pattern{
		pattern.New(`(?m)\b(\d+) failed\b`),
		pattern.New(`(?m)^\s*(\d+) failing\b`),
		pattern.New(`(?m)^(?:# |ℹ )fail (\d+)`),
		pattern.New(`(?m)^\[  FAILED  \] (\d+) tests?`),
		pattern.New(`(?m)^\[\s+(\d+) tests failed\s+\]`),
	}
	surefire = pattern.New(`Tests run: (\d+), Failures: (\d+), Errors: (\d+)`)
	unittest = pattern.New(`(?m)^Ran (\d+) tests? in`)
	broken   = pattern.New(`(?m)^FAILED \((.*)\)$`)
	number   = pattern.New(`\d+`)
)

// Counts are how many tests passed and failed by what their framework has printed; 0
// where it does not say.
func Counts(printed string) (passed, failed int) {
	if all := surefire.FindAllStringSubmatch(printed, -1); len(all) > 0 {
		last := all[len(all)-1]
		failed = atoi(last[2]) + atoi(last[3])
		return atoi(last[1]) - failed, failed
	}
	if m := unittest.FindStringSubmatch(printed); m != nil {
		if lost := broken.FindStringSubmatch(printed); lost != nil {
			for _, n := range number.FindAllStringSubmatch(lost[1], -1) {
				failed += atoi(n[0])
			}
		}
		return atoi(m[1]) - failed, failed
	}
	if n := countLines(printed, "--- PASS: ", "--- FAIL: "); n[0]+n[1] > 0 { // go test -v
		return n[0], n[1]
	}
	return lastCount(printed, passedTests), lastCount(printed, failedTests)
}

func countLines(text string, begins ...string) []int {
	n := make([]int, len(begins))
	for line := range strings.Lines(text) {
		for i, begin := range begins {
			if strings.HasPrefix(line, begin) {
				n[i]++
			}
		}
	}
	return n
}

func lastCount(text string, ways []*pattern.Pattern) int {
	for _, way := range ways {
		if all := way.FindAllStringSubmatch(text, -1); len(all) > 0 {
			return atoi(all[len(all)-1][1])
		}
	}
	return 0
}

func atoi(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
