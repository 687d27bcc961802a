// Crowd starts a thousand goroutines that wait for the same channel, and a few
// that do something else.
package main

import (
	"fmt"
	"sync"
	"time"
)

func wait(gate chan struct{}, ready *sync.WaitGroup) {
	ready.Done()
	<-gate //@mark wait
}

func nap(ready *sync.WaitGroup) {
	ready.Done()
	time.Sleep(time.Hour) //@mark nap
}

func main() {
	gate := make(chan struct{})
	var ready sync.WaitGroup
	ready.Add(1003)
	for range 1000 {
		go wait(gate, &ready)
	}
	for range 3 {
		go nap(&ready)
	}
	ready.Wait()
	time.Sleep(100 * time.Millisecond)
	fmt.Println("all wait") //@mark ready
}
