// Keeps what it should forget, and says how much.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

type order struct {
	notes [1000]byte
}

var kept []*order

func remember() {
	kept = append(kept, new(order))
}

func forget() int { return len(strings.Repeat("x", 2000)) }

func main() {
	n := 0
	for round := 0; round < 150 || len(os.Args) > 1; round++ {
		for range 100 {
			remember()
			n += forget()
		}
		runtime.GC()
		time.Sleep(4 * time.Millisecond)
	}
	runtime.GC()
	time.Sleep(300 * time.Millisecond)
	fmt.Printf("kept=%d\n", len(kept)*1024)
	os.Exit(3)
}
