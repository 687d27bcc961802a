// Package lib is a module of its own.
package lib

// Add adds.
func Add(a, b int) int {
	sum := a + b //@mark add
	return sum
}

type amount int

func (a amount) double() amount { return 2 * a }

func twice(n int) int { return 2 * n }

// Total is in amounts, a type that only this package can name.
func Total(count int) int {
	sum := amount(count)
	all := sum.double() //@mark priced
	return int(all) + twice(count)
}
