// The program that the benchmark debugs: a loop to step through, then a panic.
package main

import "fmt"

type item struct {
	Name  string
	Cents int
	Tags  []string
}

func main() {
	items := []item{
		{"tea", 250, []string{"hot"}},
		{"cake", 420, []string{"sweet", "fresh"}},
		{"water", 100, nil},
	}
	stock := map[string]int{"tea": 12, "cake": 3}
	fmt.Println("total:", total(items, stock))
	stock = nil
	stock["water"] = total(items, stock)
}

func total(items []item, stock map[string]int) int {
	sum := 0
	for i := 0; i < 300; i++ {
		it := items[i%len(items)]
		left := stock[it.Name]
		price := it.Cents
		if left < 5 {
			price += price / 10
		}
		sum += price
	}
	return sum
}
