// Calls has functions to call in expressions, to step through and to watch.
package main

import "fmt"

type point struct{ X, Y int }

func (p point) Sum() int { return p.X + p.Y }

func (p *point) Move(dx int) { p.X += dx } //@mark move

var tallied int

func tally(n int) int {
	tallied += n
	return tallied
}

func double(n int) int {
	return n * 2 //@mark double
}

func explode(reason string) int {
	panic("exploded: " + reason) //@mark explode
}

func forever() int {
	for n := 0; ; n++ {
		if n < 0 {
			return n
		}
	}
}

func combine(a, b int) int {
	both := a + b //@mark combine
	return both   //@mark combine-return
}

func main() {
	p := point{X: 1, Y: 2}
	name := "start" //@mark start
	count := 0
	for i := range 3 { //@mark loop
		count += double(i) //@mark body
	}
	result := combine(double(count), p.Sum()) //@mark nested
	p.Move(10)                                //@mark after
	fmt.Println(name, count, result, p)       //@mark print
	if count < 0 {
		explode("never")
		tally(1)
		forever()
	}
	fmt.Println("end") //@mark end
}
