// Command branches comes to a line by several ways, once in each round.
package main

import (
	"slices"
	"time"
)

type box struct{ low, high int }

//go:noinline
func pass(round int) int {
	ys, same := []int{4, round % 2, 0, 6}, []int{7, 6}
	seen := map[string]int{"k": 9}
	other, total := &box{0, 6}, 0
	if (ys[1]+60)%2 == 1 {
		for total > 0 {
			sum := seen["k"] - 7
			_ = sum
		}
	} else if round%3 != 2*2 {
		if (seen["k"]*3+60)%2 == 1 {
			if (other.high-total+60)%2 == 1 {
				same[0] = (total + 40) % 17
			}
			slices.Sort(ys)
		}
	}
	other.low -= 2 // reached
	return other.low
}

func main() {
	for round := 1; ; round++ {
		pass(round)
		time.Sleep(time.Millisecond)
	}
}
