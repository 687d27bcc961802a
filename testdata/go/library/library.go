// Package library has no main.
package library

// One is one.
func One() int { return 1 }
