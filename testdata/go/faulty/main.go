// Package main is a shop that fails in the way which its first argument names.
package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"text/template"
	"time"
)

type Address struct{ City string }

type Customer struct {
	Name    string
	Address *Address
}

type Order struct {
	Number   int
	Customer *Customer
	Prices   []int
}

func orders() []*Order {
	ann := &Customer{"ann", &Address{"Turin"}}
	return []*Order{{1, ann, []int{30, 12}}, {2, nil, nil}}
}

func cityOf(order *Order, upper bool) string {
	unused := []int{1, 2, 3}
	city := order.Customer.Address.City //@mark member
	if upper {
		return strings.ToUpper(city)
	}
	return fmt.Sprint(unused)
}

func member() {
	for _, order := range orders() {
		cityOf(order, true) //@mark member-caller
	}
}

func priceAt(prices []int, position int) int {
	shift := position + 1
	return prices[shift] * 2 //@mark index
}

func index() { fmt.Println(priceAt(orders()[0].Prices, 4)) }

func note(counts map[string]int, kind string) {
	counts[kind]++ //@mark key
}

func key() {
	var counts map[string]int
	note(counts, "gold")
}

func mean(order *Order) int {
	total := 0
	for _, price := range order.Prices {
		total += price
	}
	count := len(order.Prices)
	return total / count //@mark zero
}

func zero() {
	for _, order := range orders() {
		mean(order)
	}
}

func find(number int) *Order {
	for _, order := range orders() {
		if order.Number == number {
			return order
		}
	}
	return nil
}

func result() {
	wanted := 7
	fmt.Println(find(wanted).Prices) //@mark result
}

func exitCode() {
	fmt.Println("settling")
	os.Exit(3)
}

func settled(order *Order) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("order %d: %v", order.Number, r)
		}
	}()
	mean(order)
	return nil
}

func caught() {
	if err := settled(orders()[1]); err != nil {
		fmt.Fprintln(os.Stderr, "cannot settle:", err)
		os.Exit(1)
	}
}

func chained() {
	if err := settled(orders()[1]); err != nil {
		panic(fmt.Errorf("order 2 cannot be settled: %w", err)) //@mark chained
	}
}

func busy() {
	left, step, rounds := 1000, 0, 0
	for left > 0 { //@mark busy
		left -= step //@mark busy-step
		rounds++     //@mark busy-rounds
	}
}

func blocked() {
	nap := 600 * time.Second
	time.Sleep(nap) //@mark blocked
}

func network() {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	_, _ = server.Accept() //@mark network
}

func deadlock() {
	var stock, till sync.Mutex
	var both, done sync.WaitGroup
	both.Add(2)
	done.Add(2)
	go func() {
		defer done.Done()
		stock.Lock()
		both.Done()
		both.Wait()
		till.Lock() //@mark deadlock-till
	}()
	go func() {
		defer done.Done()
		till.Lock()
		both.Done()
		both.Wait()
		stock.Lock() //@mark deadlock-stock
	}()
	done.Wait() //@mark deadlock-join
}

// ticking is a deadlock that the runtime does not see, for a timer goes on.
func ticking() {
	go func() {
		for range time.Tick(time.Hour) {
			fmt.Println("open")
		}
	}()
	deadlock()
}

func channel() {
	parcels := make(chan int)
	fmt.Println(<-parcels) //@mark channel
}

type tree struct{ child *tree }

func depthOf(t *tree, level int) int { //@mark overflow-in
	return 1 + depthOf(t.child, level+1) //@mark overflow
}

func overflow() {
	debug.SetMaxStack(1 << 20)
	t := &tree{}
	t.child = t
	fmt.Println(depthOf(t, 0))
}

func memory() {
	var pages [][]byte
	for size := 1 << 30; ; size *= 2 {
		pages = append(pages, make([]byte, size)) //@mark memory
	}
}

func awaited() {
	var name string
	fmt.Scanln(&name) //@mark input
	fmt.Println(name)
}

func inGoroutine() {
	done := make(chan bool)
	go func() {
		mean(orders()[1]) //@mark thread
		done <- true
	}()
	<-done
}

func child() {
	self := exec.Command(os.Args[0], "zero")
	self.Stderr = os.Stderr
	if err := self.Run(); err != nil {
		panic(err)
	}
}

func library() {
	text := "{{.Total"
	template.Must(template.New("bill").Parse(text)) //@mark library
}

func fine() { fmt.Println(mean(orders()[0])) }

var ways = map[string]func(){
	"member": member, "index": index, "key": key, "zero": zero, "result": result, "exit_code": exitCode, "caught": caught, "chained": chained,
	"busy": busy, "blocked": blocked, "network": network, "deadlock": deadlock, "ticking": ticking, "channel": channel, "overflow": overflow,
	"memory": memory, "awaited": awaited, "thread": inGoroutine, "child": child, "library": library, "fine": fine,
}

func main() {
	way, ok := ways[os.Args[1]]
	if !ok {
		panic(errors.New("no such way"))
	}
	way()
}
