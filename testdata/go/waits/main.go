// Programs that hang, one for each argument. A marked line is where the kernel waits or takes a lock.
package main

import (
	"fmt"
	"os"
	"sync"
)

var kernels = map[string]func(){
	"crossed": crossed, "twice": twice, "recursive": recursive, "receive": receive, "group": group,
	"cond": cond, "select": choose, "full": full, "once": once, "embedded": embedded,
	"lent": lent, "helped": helped,
	"sent": sent, "ranged": ranged, "closing": closing, "upgraded": upgraded, "ring": ring, "called": called, "missed": missed, "counted": counted,
}

func main() {
	kernels[os.Args[1]]()
	fmt.Println("came to an end")
}

type account struct {
	mu      sync.Mutex
	balance int
}

// crossed: each of two transfers holds one account and waits for the other.
func crossed() {
	a, b := &account{balance: 10}, &account{balance: 20}
	var ready, done sync.WaitGroup
	ready.Add(2)
	done.Add(2)
	go transfer(a, b, &ready, &done) // @mark made-first
	go transfer(b, a, &ready, &done) // @mark made-second
	done.Wait()                      // @mark both
}

func transfer(from, to *account, ready, done *sync.WaitGroup) {
	from.mu.Lock() // @mark taken
	defer from.mu.Unlock()
	ready.Done()
	ready.Wait()
	to.mu.Lock() // @mark wanted
	to.balance += from.balance
	to.mu.Unlock()
	done.Done()
}

// twice: a method that holds its lock calls another that takes it.
func twice() {
	a := &account{balance: 1}
	a.deposit(2)
}

func (a *account) deposit(n int) {
	a.mu.Lock() // @mark first-time
	defer a.mu.Unlock()
	a.balance = a.total() + n
}

func (a *account) total() int {
	a.mu.Lock() // @mark second-time
	defer a.mu.Unlock()
	return a.balance
}

// recursive: a reader reads again while a writer waits for it.
func recursive() {
	var table sync.RWMutex
	read, writing := make(chan int), make(chan int)
	go func() {
		<-read
		go func() {
			for table.TryRLock() { // until the writer waits
				table.RUnlock()
			}
			close(writing)
		}()
		table.Lock() // @mark writes
		table.Unlock()
	}()
	table.RLock() // @mark reads
	close(read)
	<-writing
	table.RLock() // @mark reads-again
	table.RUnlock()
	table.RUnlock()
}

// receive: nobody sends any more.
func receive() {
	results := make(chan int)
	fmt.Println(<-results) // @mark receives
}

// group: one of the workers never says that it is done.
func group() {
	var workers sync.WaitGroup
	for n := range 3 {
		workers.Add(1)
		go func() {
			if n != 1 {
				workers.Done()
			}
		}()
	}
	workers.Wait() // @mark waits-for-workers
}

// cond: the signal came before the wait.
func cond() {
	changed := sync.NewCond(&sync.Mutex{})
	changed.Signal()
	changed.L.Lock()
	changed.Wait() // @mark waits-for-signal
	changed.L.Unlock()
}

// select: no case is ever ready.
func choose() {
	jobs, results := make(chan int), make(chan string)
	var quit chan struct{}
	select { // @mark chooses
	case job := <-jobs:
		fmt.Println(job)
	case results <- "done":
	case <-quit:
	}
}

// full: the places of a semaphore are taken and never given back.
func full() {
	places := make(chan struct{}, 2)
	for range 3 {
		places <- struct{}{} // @mark takes-a-place
	}
}

// once: what is to run once asks for itself.
func once() {
	var config sync.Once
	var load func()
	load = func() {
		config.Do(load) // @mark asks-again
	}
	config.Do(load) // @mark asks
}

type cache struct {
	sync.Mutex
	entries map[string]int
}

// embedded: a worker waits for a lock that main holds while it waits for the worker.
func embedded() {
	c := &cache{entries: map[string]int{}}
	done := make(chan bool)
	c.Lock()    // @mark main-locks
	go func() { // @mark makes-worker
		c.Lock() // @mark worker-locks
		c.entries["a"] = 1
		c.Unlock()
		done <- true
	}()
	<-done // @mark main-waits
	c.Unlock()
}

// lent: a worker waits for a lock that the one who took it has given back while it waits: nobody holds it.
func lent() {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	stolen := make(chan bool)
	go func() {
		mu.Lock()
		stolen <- true
		changed.Wait() // @mark lends
		mu.Unlock()
	}()
	<-stolen
	mu.Lock() // @mark steals
	hand(&mu)
}

// hand takes a lock whose holder cannot be told: the function that took it for another has returned.
func hand(mu *sync.Mutex) {
	mu.Lock() // @mark again
}

// helped: a function takes a lock for its caller.
func helped() {
	var mu sync.Mutex
	take(&mu)
	mu.Lock() // @mark helped-again
}

func take(mu *sync.Mutex) { mu.Lock() }

// sent: the one who would receive has gone.
func sent() {
	results := make(chan int)
	results <- 1 // @mark sends
}

// ranged: nobody closes the channel that is read to its end.
func ranged() {
	jobs := make(chan int, 2)
	jobs <- 1
	jobs <- 2
	sum := 0
	for job := range jobs { // @mark ranges
		sum += job
	}
	fmt.Println(sum)
}

// closing: a worker waits for more work, and main for the worker before it closes.
func closing() {
	jobs := make(chan int)
	var workers sync.WaitGroup
	workers.Add(1)
	go func() { // @mark makes-reader
		defer workers.Done()
		for range jobs { // @mark reads-jobs
		}
	}()
	jobs <- 1
	workers.Wait() // @mark waits-before-close
	close(jobs)
}

// upgraded: a reader takes the lock for writing before it gives back that for reading.
func upgraded() {
	var table sync.RWMutex
	table.RLock() // @mark reads-first
	table.Lock()  // @mark then-writes
	table.Unlock()
	table.RUnlock()
}

// ring: three philosophers have one fork each.
func ring() {
	var forks [3]account
	var ready, done sync.WaitGroup
	ready.Add(3)
	done.Add(3)
	for n := range 3 {
		go transfer(&forks[n], &forks[(n+1)%3], &ready, &done) // @mark sits-down
	}
	done.Wait() // @mark all-eat
}

// called: what is called back takes the lock that its caller holds.
func called() {
	a := &account{balance: 1}
	a.each(func() { a.total() })
}

func (a *account) each(visit func()) {
	a.mu.Lock() // @mark visits
	defer a.mu.Unlock()
	visit()
}

// missed: a worker sends before main waits, and main takes the other channel.
func missed() {
	results, failures := make(chan int), make(chan error)
	go func() { // @mark makes-sender
		results <- 1 // @mark sends-result
	}()
	fmt.Println(<-failures) // @mark waits-for-failure
}

// counted: the group counts one more than there are workers.
func counted() {
	var workers sync.WaitGroup
	workers.Add(2)
	go workers.Done()
	workers.Wait() // @mark one-too-many
}
