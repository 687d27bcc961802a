//go:build go1.22

package recorder

// The functions whose calls are counted: the weaver writes this file anew where there are
// such.
var (
	counters [0]Counter
	sites    [0]string
)
