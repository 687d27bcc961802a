// Package cart adds up what is bought.
package cart

import "example.com/money"

// Total is the sum of prices, in cents.
func Total(prices []string) (int, error) {
	sum := 0
	for _, price := range prices {
		cents, err := money.Parse(price)
		if err != nil {
			return 0, err
		}
		sum += cents
	}
	return sum, nil // @mark total
}
