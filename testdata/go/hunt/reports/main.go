// Reports prints what each customer has ordered, below a heading that all share. The
// lines of one customer show up in the report of another.
package main

import (
	"fmt"
	"strings"
)

type order struct {
	customer string
	article  string
	pieces   int
}

type report struct {
	customer string
	lines    []string
}

var orders = []order{
	{"ann", "desk", 1}, {"bob", "lamp", 2}, {"ann", "chair", 4},
	{"carol", "shelf", 1}, {"bob", "desk", 1}, {"carol", "lamp", 3},
}

// heading is what each report begins with.
func heading() []string {
	lines := append(make([]string, 0, 8), "ACME Ltd.", "Orders")
	return append(lines, strings.Repeat("-", 20))
}

func describe(o order) string {
	if o.pieces == 1 {
		return "one " + o.article
	}
	return fmt.Sprint(o.pieces, " ", o.article, "s")
}

// of collects what is ordered by a customer.
func of(customer string, head []string) report {
	r := report{customer: customer, lines: head}
	for _, o := range orders {
		if o.customer != customer {
			continue
		}
		text := describe(o)
		r.lines = append(r.lines, text) //@mark appended
	}
	return r
}

func customers() []string {
	var names []string
	seen := map[string]bool{}
	for _, o := range orders {
		if !seen[o.customer] {
			seen[o.customer] = true
			names = append(names, o.customer)
		}
	}
	return names
}

func all() []report {
	head := heading()
	var list []report
	for _, name := range customers() {
		list = append(list, of(name, head))
	}
	return list
}

func main() {
	reports := all()
	for _, r := range reports {
		fmt.Println(strings.ToUpper(r.customer))
		for _, line := range r.lines {
			fmt.Println("  " + line) //@mark printed
		}
	}
	first := reports[0].lines[3]
	if first != "one desk" {
		fmt.Println("ann has ordered one desk, not", first) //@mark garbled
	}
}
