// Slow prints now and then, for a second.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	for i := range 20 {
		fmt.Println("out", i)
		fmt.Fprintln(os.Stderr, "err", i)
		time.Sleep(50 * time.Millisecond) //@mark nap
	}
	fmt.Println("done") //@mark done
}
