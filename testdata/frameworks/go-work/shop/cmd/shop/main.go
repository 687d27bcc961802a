// Command shop prints the total of its arguments.
package main

import (
	"fmt"
	"os"

	"example.com/shop/cart"
)

func main() {
	total, err := cart.Total(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(total) // @mark print
}
