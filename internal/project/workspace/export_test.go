package workspace

// Limits of a look, for the tests of what lies beyond them.
const (
	MaxDepth   = maxDepth
	MaxEntries = maxEntries
	MaxTime    = maxTime
)
