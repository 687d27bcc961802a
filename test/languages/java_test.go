//go:build linux

package languages

// java is Java with java-debug.
var java []*language
