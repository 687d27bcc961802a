// Package price computes prices. Discounts above half are wrong.
package price

// Discount takes percent off the price.
func Discount(price, percent int) int {
	off := price * percent / 100
	if percent > 50 {
		off = price * 100 / percent // the bug: upside down
	}
	return price - off
}
