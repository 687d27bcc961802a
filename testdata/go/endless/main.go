// Endless never ends by itself.
package main

import "fmt"

func spin(limit int) int {
	n := 0
	for n != limit { //@mark condition
		n++ //@mark count
		if n > 1_000_000 {
			n = 0 //@mark reset
		}
	}
	return n //@mark never
}

func main() {
	fmt.Println("spinning")
	fmt.Println(spin(-1))
}
