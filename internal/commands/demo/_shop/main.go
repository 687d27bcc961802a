// Shop says what each table has to pay.
package main

import "fmt"

// Product is one line of the menu.
type Product struct {
	Name  string
	Cents int
}

// Order is what one table has ordered.
type Order struct {
	Table int
	Items []string
}

func main() {
	menu := map[string]*Product{
		"tea":    {"Black tea", 250},
		"coffee": {"Coffee", 300},
		"cake":   {"Apple cake", 420},
	}
	orders := []Order{
		{Table: 1, Items: []string{"tea", "cake"}},
		{Table: 2, Items: []string{"coffee"}},
		{Table: 3, Items: []string{"cake", "Tea"}},
	}
	for _, order := range orders {
		fmt.Printf("table %d pays %d cents\n", order.Table, total(menu, order))
	}
}

// total adds up the prices of an order.
func total(menu map[string]*Product, order Order) int {
	sum := 0
	for _, item := range order.Items {
		product := menu[item]
		sum += product.Cents
	}
	return sum
}
