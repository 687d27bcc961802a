// Package till is a till that takes a cent too many off.
package till

func total(prices []int) int {
	sum := 0
	for _, price := range prices {
		sum += price
	}
	sum -= 1 //@mark off
	return sum
}
