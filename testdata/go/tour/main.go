// Tour goes through what a debugger is asked for; its first argument names the
// part. The same program stands in testdata for every language.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

func main() {
	part := "loop" //@mark main
	if len(os.Args) > 1 {
		part = os.Args[1]
	}
	parts := map[string]func(){
		"loop": loop, "calls": calls, "values": values, "big": big, "watch": watch,
		"throw": throw, "catch": catch, "exit3": exit3, "streams": streams, "echo": echo,
		"spin": spin, "sleep": sleep, "threads": threads, "recursion": recursion,
	}
	parts[part]()
}

func loop() {
	items := []int{3, 1, 4, 1, 5, 9, 2, 6, 5, 4}
	total := 0 //@mark loop-start
	for i := 0; i < 10; i++ {
		item := items[i]
		total += item //@mark sum
	}
	fmt.Println("total", total) //@mark loop-end
}

func twice(n int) int {
	result := n * 2 //@mark twice
	return result   //@mark twice-return
}

func combine(a, b int) int {
	both := a + b //@mark combine
	return both   //@mark combine-return
}

func calls() {
	count := 6                             //@mark calls-start
	first := twice(count)                  //@mark call
	second := combine(twice(first), count) //@mark nested
	count = count + second                 //@mark after
	fmt.Println("calls", count, first)     //@mark calls-end
}

type address struct {
	city string
	tags []string
}

type person struct {
	name    string
	age     int
	address address
}

func values() {
	yes := true
	whole := 42
	huge := 9007199254740993
	ratio := 1.5
	name := "grüße 🙂"
	lines := "one\n\"two\""
	list := []int{10, 20, 30}
	ages := map[string]int{"one": 1, "two": 2}
	ada := person{"Ada", 36, address{"Paris", []string{"x", "y"}}}
	var nothing *person
	fmt.Println("values", yes, whole, huge, ratio, name, lines, list, ages, ada, nothing) //@mark values-end
}

type level struct {
	depth int
	next  *level
}

func big() {
	million := make([]int, 1_000_000)
	for i := range million {
		million[i] = i
	}
	text := strings.Repeat("0123456789", 100_000)
	var deep *level
	for i := 50; i > 0; i-- {
		deep = &level{i, deep}
	}
	fmt.Println("big", len(million), len(text), deep.depth) //@mark big-end
}

var counter = 10

func bump() {
	counter++               //@mark write
	fmt.Println("bumped")   //@mark written
	fmt.Println("for sure") //@mark written-after
}

func watch() {
	fmt.Println("watch", counter) //@mark watch-start
	bump()
	fmt.Println("counter", counter) //@mark watch-end
}

func fail(code int) {
	panic(fmt.Errorf("tour failed: %d", code)) //@mark throw
}

func throw() {
	fmt.Println("before")
	fail(7) //@mark throw-call
}

func catch() {
	defer func() {
		if caught, ok := recover().(error); ok && !errors.Is(caught, os.ErrClosed) {
			fmt.Println("caught", caught) //@mark caught
		}
	}()
	fail(8)
}

func exit3() {
	fmt.Println("last words")
	fmt.Fprintln(os.Stderr, "last complaint")
	os.Exit(3) //@mark exit
}

func streams() {
	for i := 1; i <= 3; i++ {
		fmt.Println("out", i)
		fmt.Fprintln(os.Stderr, "err", i) //@mark stream
	}
	fmt.Print("no newline at the end")
}

func echo() {
	lines := bufio.NewScanner(os.Stdin)
	n := 0
	for lines.Scan() {
		n++
		fmt.Printf("%d: %s\n", n, lines.Text()) //@mark line
	}
	fmt.Println("end after", n, "lines")
}

func spin() {
	fmt.Println("spinning")
	limit := -1
	for n := 0; limit < 0 || n < limit; n++ {
		_ = n * 2 //@mark spin
	}
	fmt.Println("spun")
}

func tick(n int) {
	fmt.Println("tick", n) //@mark tick
}

func sleep() {
	for n := range 2400 {
		tick(n)
		time.Sleep(50 * time.Millisecond)
	}
}

func hold(gate chan bool, arrived *sync.WaitGroup) {
	arrived.Done()
	<-gate //@mark hold
}

func threads() {
	gate := make(chan bool)
	var arrived, gone sync.WaitGroup
	for range 20 {
		arrived.Add(1)
		gone.Go(func() { hold(gate, &arrived) })
	}
	arrived.Wait()
	time.Sleep(100 * time.Millisecond) // until each stands at the gate
	fmt.Println("gathered")            //@mark gathered
	close(gate)
	gone.Wait()
}

func dive(depth int) int {
	if depth == 0 {
		return 0 //@mark bottom
	}
	return dive(depth-1) + 1
}

func recursion() {
	fmt.Println("depth", dive(500))
}
