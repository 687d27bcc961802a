//go:build linux

package languages

// custom is adapters that only the configuration knows.
var custom []*language
