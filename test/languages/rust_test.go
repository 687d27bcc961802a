//go:build linux

package languages

// rust is Rust.
var rust []*language
