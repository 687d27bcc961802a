// Transfer moves money both ways at once: two workers take two locks in opposite
// order, and main waits for both.
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
	to.mu.Lock()
	from.balance -= amount
	to.balance += amount
	to.mu.Unlock()
	from.mu.Unlock()
}

func main() {
	a, b := &account{balance: 10}, &account{balance: 20}
	var ready, done sync.WaitGroup
	ready.Add(2)
	done.Go(func() { transfer(a, b, 1, &ready) })
	done.Go(func() { transfer(b, a, 2, &ready) })
	done.Wait()
	fmt.Println(a.balance, b.balance)
}
