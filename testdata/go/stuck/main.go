// Stuck never gets on, but the runtime cannot tell: a ticker still runs while
// workers wait for a lock whose holder waits for a message that nobody sends.
package main

import (
	"fmt"
	"sync"
	"time"
)

type queue struct {
	mu   sync.Mutex
	jobs chan int
}

func (q *queue) hold() {
	q.mu.Lock()
	defer q.mu.Unlock()
	fmt.Println("job", <-q.jobs) //@mark receive
}

func (q *queue) work() {
	q.mu.Lock() //@mark lock
	defer q.mu.Unlock()
}

func tick() {
	for {
		time.Sleep(time.Second) //@mark sleep
	}
}

func main() {
	q := &queue{jobs: make(chan int)}
	held := make(chan struct{})
	var wg sync.WaitGroup
	go tick()
	wg.Go(func() { close(held); q.hold() })
	<-held
	time.Sleep(50 * time.Millisecond)
	for range 5 {
		wg.Go(q.work)
	}
	fmt.Println("waiting")
	wg.Wait() //@mark wait
}
