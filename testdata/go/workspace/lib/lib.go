// Package lib is a module of its own.
package lib

// Add adds.
func Add(a, b int) int {
	sum := a + b //@mark add
	return sum
}
