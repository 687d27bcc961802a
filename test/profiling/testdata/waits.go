// Stands: three goroutines at a lock, six at a channel, one asleep.
package main

import (
	"sync"
	"time"
)

var mu sync.Mutex

func locked() {
	mu.Lock()
	defer mu.Unlock()
}

func receive(c chan int) {
	<-c
}

func main() {
	mu.Lock()
	for range 3 {
		go locked()
	}
	c := make(chan int)
	for range 6 {
		go receive(c)
	}
	time.Sleep(time.Hour)
}
