// Command report sums the prices that a task has made.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var prices map[string]int
	if err := json.Unmarshal(text, &prices); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sum := 0
	for _, cents := range prices {
		sum += cents
	}
	fmt.Printf("%d prices, %d cents\n", len(prices), sum)
}
