// Deep stops at the bottom of ten thousand calls.
package main

import "fmt"

func descend(depth int) int {
	if depth == 0 {
		return 0 //@mark bottom
	}
	return 1 + descend(depth-1) //@mark recurse
}

func main() {
	fmt.Println(descend(10_000)) //@mark call
}
