// Command orders serves orders one by one, for as long as somebody watches.
package main

import (
	"errors"
	"os"
	"strconv"
	"time"
)

type item struct {
	Name  string
	Price int
	Count uint8
}

type order struct {
	Number int
	Item   item
	Tags   []string
	Before *order
	Paid   bool
}

var errFree = errors.New("it costs nothing")

// Served is what came in.
var Served int

//go:noinline
func total(o *order, discount int) (sum int, err error) {
	sum = o.Item.Price*int(o.Item.Count) - discount
	if sum <= 0 {
		return 0, errFree
	}
	return sum, nil
}

//go:noinline
func (o *order) serve() string {
	due, err := total(o, o.Number%3)
	if err != nil {
		return "free"
	}
	Served += due
	return "paid " + strconv.Itoa(due)
}

//go:noinline
func deep(n int) int {
	var room [128]int
	if n == 0 {
		return room[0]
	}
	room[n%128] = n
	return deep(n-1) + room[n%128]
}

func main() {
	pause := time.Millisecond
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil {
			panic(err)
		}
		pause = time.Duration(n) * time.Microsecond
	}
	for range 2 {
		go func() {
			for {
				deep(200)
				time.Sleep(time.Millisecond)
			}
		}()
	}
	var last *order
	for n := 1; ; n++ {
		o := &order{Number: n, Item: item{Name: "tea", Price: n * 10, Count: uint8(n % 7)}, Tags: []string{"a", "b"}, Before: last, Paid: n%2 == 0}
		o.serve()
		last = o
		last.Before = nil
		if pause > 0 {
			time.Sleep(pause)
		}
	}
}
