// Prices are looked up in lists of currencies and kept, because that takes long. A
// customer who pays in dollars is sometimes asked for as many as there would be euros.
package main

import "fmt"

type money struct {
	amount   int
	currency string
}

type list struct {
	currency string
	rate     int // hundredths
	base     map[string]int
}

type desk struct {
	lists  map[string]list
	kept   map[string]int
	missed int
}

type line struct {
	article string
	pieces  int
	total   money
}

func newDesk() *desk {
	base := map[string]int{"desk": 20000, "lamp": 3000, "chair": 9000}
	return &desk{kept: map[string]int{}, lists: map[string]list{
		"EUR": {"EUR", 100, base},
		"USD": {"USD", 110, base},
		"CHF": {"CHF", 95, base},
	}}
}

// price is that of one piece.
func (d *desk) price(article, currency string) int {
	if p, ok := d.kept[article]; ok {
		return p //@mark hit
	}
	d.missed++
	l := d.lists[currency]
	p := l.base[article] * l.rate / 100
	d.kept[article] = p //@mark kept
	return p
}

func (d *desk) quote(article string, pieces int, currency string) line {
	each := d.price(article, currency) //@mark asked
	if pieces > 10 {
		each -= each / 20
	}
	return line{article, pieces, money{each * pieces, currency}}
}

type offer struct {
	customer string
	lines    []line
}

func (o *offer) sum() money {
	var all money
	for _, l := range o.lines {
		all.amount += l.total.amount
		all.currency = l.total.currency
	}
	return all
}

func main() {
	d := newDesk()
	offers := []*offer{
		{customer: "ann", lines: []line{d.quote("desk", 1, "EUR"), d.quote("lamp", 2, "EUR")}},
		{customer: "bob", lines: []line{d.quote("chair", 4, "USD"), d.quote("lamp", 1, "USD")}},
	}
	for _, o := range offers {
		fmt.Println(o.customer, o.sum())
	}
	lamp := d.price("lamp", "USD")
	fmt.Println("a lamp is 3300 dollars, not", lamp) //@mark euros
}
