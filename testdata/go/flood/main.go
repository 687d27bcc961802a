// Flood prints 100 MB as fast as it can, numbered lines of 100 bytes.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	out := bufio.NewWriterSize(os.Stdout, 64<<10)
	pad := strings.Repeat("x", 89)
	for i := range 1_000_000 {
		fmt.Fprintf(out, "%09d %s\n", i, pad)
	}
	out.Flush()
	fmt.Fprintln(os.Stderr, "flooded") //@mark end
}
