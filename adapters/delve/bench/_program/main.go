// The program that the benchmark debugs: a loop to step through, then a panic.
package main

import "fmt"

func main() {
	fmt.Println("average:", average([]int{3, 1, 4, 1, 5}, 200))
}

// average goes through the marks again and again, and then one too far.
func average(marks []int, rounds int) int {
	sum := 0
	for i := 0; i < rounds; i++ {
		mark := marks[i%len(marks)]
		sum += mark
	}
	return sum / marks[len(marks)]
}
