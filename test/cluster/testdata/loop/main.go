package main

import (
	"fmt"
	"os"
)

func main() {
	f, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	total := 0
	for i := 1; i < 100000; i++ {
		total += i
		fmt.Fprintln(f, i)
		mark(i, total) // here
	}
}

//go:noinline
func mark(i, total int) int { return i + total }
