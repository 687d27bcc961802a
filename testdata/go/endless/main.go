// Endless never ends by itself.
package main

import "fmt"

func spin(limit int) int {
	fmt.Println("spinning") // here, so that whoever has read it finds the program in spin
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
	fmt.Println(spin(-1))
}
