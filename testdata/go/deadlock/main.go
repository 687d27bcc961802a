// Deadlock blocks every goroutine: two workers take two locks in opposite
// order, and main waits for both. The runtime notices that nothing can run.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, amount int, ready *sync.WaitGroup) {
	from.mu.Lock()
	ready.Done()
	ready.Wait()
	to.mu.Lock() //@mark second-lock
	from.balance -= amount
	to.balance += amount
	to.mu.Unlock()
	from.mu.Unlock()
}

func main() {
	a, b := &account{balance: 10}, &account{balance: 20}
	var ready, done sync.WaitGroup
	ready.Add(2)
	done.Go(func() { transfer(a, b, 1, &ready) }) //@mark ab
	done.Go(func() { transfer(b, a, 2, &ready) }) //@mark ba
	done.Wait()                                   //@mark wait
	fmt.Println(a.balance, b.balance)
}
