// Command attended works in several threads and answers requests meanwhile.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var (
	total atomic.Int64
	seen  int64 // for a watchpoint
	calls atomic.Int64
)

type counter struct {
	mu sync.Mutex
	n  int64
}

func (c *counter) add(by int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += by //@mark hot
	seen++
	total.Add(1)
}

// linger is called by expressions.
func linger(milliseconds int64) int64 {
	calls.Add(1)
	return doze(milliseconds)
}

func doze(milliseconds int64) int64 {
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	return milliseconds
}

func work(c *counter, by int64) {
	for {
		c.add(by)
		doze(4)
	}
}

// churn has threads come and go.
func churn() {
	for {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { doze(1) })
		}
		all.Wait()
	}
}

func answer(conn net.Conn) {
	requests := bufio.NewScanner(conn)
	for requests.Scan() {
		fmt.Fprintf(conn, "%s %d %d\n", requests.Text(), total.Load(), calls.Load())
	}
}

func main() {
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("ready")
	if len(os.Args) == 2 {
		c := &counter{}
		for by := range int64(4) {
			go work(c, by)
		}
		go churn()
	}
	if len(os.Args) > 3 {
		linger(1) // what is never called is not in the binary
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		go answer(conn)
	}
}
