// Exit3 writes to both streams and ends with code 3.
package main

import (
	"fmt"
	"os"
)

func main() {
	for i := range 3 {
		fmt.Println("out", i)
		fmt.Fprintln(os.Stderr, "err", i)
	}
	fmt.Print("no newline at the end")
	os.Exit(3) //@mark exit
}
