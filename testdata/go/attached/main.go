// Attached is somebody's production: two goroutines do some work 500 times a second
// each, and a server answers each line with how far they are.
package main

import (
	"bufio"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

var (
	counter int
	counts  [2]atomic.Int64
)

//go:noinline
func work(n int) int {
	counter = n + 1 //@mark hot
	return n + 1
}

//go:noinline
func risk(n int) (err error) {
	defer func() { err, _ = recover().(error) }()
	if n%50 == 0 {
		panic(fmt.Errorf("thrown at %d", n))
	}
	return nil
}

func count(i int) {
	for n := 0; ; {
		n = work(n)
		_ = risk(n)
		counts[i].Store(int64(n))
		time.Sleep(2 * time.Millisecond)
	}
}

func answer(c net.Conn) {
	for lines := bufio.NewScanner(c); lines.Scan(); {
		fmt.Fprintf(c, "%s %d %d\n", lines.Text(), counts[0].Load(), counts[1].Load())
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	for i := range counts {
		go count(i)
	}
	fmt.Println("port", l.Addr().(*net.TCPAddr).Port)
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go answer(c)
	}
}
