//go:build go1.22

package recorder

// The packages in which all is noted, and those that have another name than the end of
// their path, each with both: the weaver writes this file anew.
var (
	woven [0]string
	named [0][2]string
)
