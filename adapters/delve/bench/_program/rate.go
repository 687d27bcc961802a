package main

import (
	"fmt"
	"os"
	"strconv"
)

func run(n int) int {
	total := 0
	for i := 0; i < n; i++ {
		total += i
	}
	return total
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(run(n))
}
