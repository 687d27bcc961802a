package hostile

import "aidb-mcp/internal/testkit"

// tried says that the case of these numbers, a misdeed's, a command's and perhaps a
// language's, is one of this run. The short run has every seventh, so that each misdeed
// is tried at every seventh command, and each command meets every seventh misdeed; the race
// detector makes each case ten times slower.
func tried(numbers ...int) bool {
	sum, thin := 0, 7
	for _, n := range numbers {
		sum += n
	}
	switch {
	case watched:
		thin = 16
	case testkit.IsLong():
		thin = 1
	}
	return sum%thin == 0
}
