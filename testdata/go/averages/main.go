// Averages prints each student's mean mark. It has two bugs: the first mark is
// never counted, and a student without marks ends the program in a panic.
package main

import "fmt"

type student struct {
	Name  string
	Marks []int
}

func mean(marks []int) int {
	total := 0
	for i := 1; i < len(marks); i++ { //@mark loop
		total += marks[i] //@mark sum
	}
	return total / len(marks) //@mark divide
}

func report(s student) {
	average := mean(s.Marks)                //@mark call
	fmt.Printf("%s: %d\n", s.Name, average) //@mark print
}

func main() {
	students := []student{ //@mark first
		{"Ada", []int{90, 80, 100}},
		{"Bob", []int{70}},
		{"Cyd", nil},
	}
	for _, s := range students {
		report(s) //@mark report
	}
}
