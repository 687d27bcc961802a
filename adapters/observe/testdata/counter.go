// Command counter has words that somebody writes, for as long as somebody watches.
package main

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

type node struct {
	weight int32
	count  int
}

type table struct {
	number int
	kinds  [4]int16
	city   string
}

// What is written.
var (
	Ticks int
	Born  int
	Table table
	Head  = &node{}
	Paid  bool
	Costs = map[string]int{}
	Names []string
)

//go:noinline
func tick() {
	Ticks++ // ticks
	Table.kinds[2] = int16(Ticks % 1000)
	Head.count -= 3 // count
	Paid = !Paid
	Costs["tea"]++
	Names = append(Names[:0], strconv.Itoa(Ticks))
}

//go:noinline
func live(number int, done chan<- bool) {
	runtime.LockOSThread() // the thread ends with it
	Born = number          // born
	done <- true
}

func main() {
	pause := time.Millisecond
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			panic(err)
		}
		pause = time.Duration(n) * time.Microsecond
	}
	done := make(chan bool)
	for n := 1; ; n++ {
		tick()
		go live(n, done)
		<-done
		if pause > 0 {
			time.Sleep(pause)
		}
	}
}
