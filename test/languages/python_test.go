//go:build linux

package languages

// python is Python with debugpy.
var python []*language
