//go:build linux

package languages

// javascript is JavaScript and TypeScript with js-debug.
var javascript []*language
