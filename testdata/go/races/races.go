// Package races has kernels that race, and such that do not.
package races

import (
	"sync"
	"sync/atomic"
)

// both runs two functions side by side.
func both(a, b func()) {
	var wg sync.WaitGroup
	for _, f := range []func(){a, b} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

// counter is added to without a lock.
func counter() int {
	n := 0
	add := func() {
		n++ //@mark counter
	}
	both(add, add)
	return n
}

// mapWrite writes a map beside a reader.
func mapWrite() int {
	stock := map[string]int{"tea": 1}
	both(
		func() { stock["milk"] = 2 }, //@mark map-write
		func() { _ = stock["tea"] },  //@mark map-read
	)
	return len(stock)
}

// appended loses what the other appends.
func appended() int {
	var list []int
	put := func() {
		list = append(list, 1) //@mark append
	}
	both(put, put)
	return len(list)
}

// loopVariable shares one variable over all rounds.
func loopVariable() int {
	var wg sync.WaitGroup
	sum, i := 0, 0
	var mu sync.Mutex
	for i = 0; i < 3; i++ { //@mark loop-write
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			sum += i //@mark loop-read
		}()
	}
	wg.Wait()
	return sum
}

type config struct{ name string }

var (
	shared   *config
	sharedMu sync.Mutex
)

// checkedTwice looks before it locks.
func checkedTwice() {
	get := func() {
		if shared == nil { //@mark twice-read
			sharedMu.Lock()
			if shared == nil {
				shared = &config{name: "one"} //@mark twice-write
			}
			sharedMu.Unlock()
		}
	}
	both(get, get)
}

// addedInside adds to the group only in the goroutine that it is to wait for.
func addedInside() int {
	var wg, held sync.WaitGroup
	n := 0
	held.Add(1)
	go func() {
		wg.Add(1)
		held.Done()
		n = 1 //@mark added-write
		wg.Done()
	}()
	held.Wait()
	return n //@mark added-read
}

// closedWhileSent closes a channel that another sends to.
func closedWhileSent() (sent bool) {
	ch := make(chan int, 1)
	both(
		func() {
			defer func() { sent = recover() == nil }()
			ch <- 1 //@mark closed-send
		},
		func() { close(ch) }, //@mark closed-close
	)
	return sent
}

// errShared writes the error of the function that began it.
func errShared() error {
	var err error
	done := make(chan bool)
	go func() {
		err = fail() //@mark err-inner
		close(done)
	}()
	err = fail() //@mark err-outer
	<-done
	return err
}

func fail() error { return nil }

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n //@mark field-write
}

func (a *account) read() int {
	return a.balance //@mark field-read
}

// fieldRead reads without the lock with which it is written.
func fieldRead() {
	a := &account{}
	both(func() { a.deposit(5) }, func() { a.read() })
}

// mixed reads plainly what is written atomically.
func mixed() {
	var n int64
	both(
		func() { atomic.AddInt64(&n, 1) }, //@mark mixed-write
		func() { _ = n },                  //@mark mixed-read
	)
}

// element shares an element of an array.
func element() {
	var cells [4]int
	set := func() {
		cells[2]++ //@mark element
	}
	both(set, set)
}

// words is a string in two words.
func words() string {
	name := "a"
	both(
		func() { name = "longer" },    //@mark words-write
		func() { _ = len(name + "") }, //@mark words-read
	)
	return name
}

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

// iface swaps an interface while its method is called.
func iface() {
	var s shape = square{1}
	both(
		func() { s = square{2} }, //@mark iface-write
		func() { _ = s.area() },  //@mark iface-read
	)
}

// wrongLock guards one value by two locks.
func wrongLock() int {
	var one, two sync.Mutex
	n := 0
	both(
		func() {
			one.Lock()
			defer one.Unlock()
			n++ //@mark lock-one
		},
		func() {
			two.Lock()
			defer two.Unlock()
			n++ //@mark lock-two
		},
	)
	return n
}

// readLocked writes under a lock for reading.
func readLocked() int {
	var mu sync.RWMutex
	n := 0
	add := func() {
		mu.RLock()
		defer mu.RUnlock()
		n++ //@mark read-locked
	}
	both(add, add)
	return n
}

// locked is what counter should be.
func locked() int {
	var mu sync.Mutex
	n := 0
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		n++
	}
	both(add, add)
	return n
}

// handedOver is ordered by a channel.
func handedOver() int {
	n := 0
	ch := make(chan bool)
	go func() {
		n = 1
		ch <- true
	}()
	<-ch
	return n
}

// once is ordered by sync.Once.
func once() int {
	var o sync.Once
	n := 0
	get := func() { o.Do(func() { n = 1 }) }
	both(get, get)
	return n
}

// counted uses atomics throughout.
func counted() int64 {
	var n atomic.Int64
	both(func() { n.Add(1) }, func() { n.Add(1) })
	return n.Load()
}
