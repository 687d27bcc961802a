// Echo repeats the lines of its standard input until it ends.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	n := 0
	for lines.Scan() {
		n++
		fmt.Printf("%d: %s\n", n, lines.Text()) //@mark line
	}
	fmt.Println("end after", n, "lines") //@mark end
}
