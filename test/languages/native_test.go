//go:build linux

package languages

// native is C and C++ with each of their debuggers.
var native []*language
