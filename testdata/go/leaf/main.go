// Leaf follows a nil pointer in a function that, optimised, has no frame of its own.
package main

import "fmt"

type node struct {
	value int
	next  *node
}

//go:noinline
func second(n *node) int {
	return n.next.value
}

//go:noinline
func report(n *node) int {
	return second(n) + 1
}

func main() {
	fmt.Println(report(&node{value: 1}))
}
