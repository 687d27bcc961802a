// Package money counts in cents.
package money

import (
	"errors"
	"strconv"
	"strings"
)

// Parse reads an amount as people write it: "12.50" is 1250 cents.
func Parse(text string) (int, error) {
	whole, part, _ := strings.Cut(text, ".")
	cents, err := strconv.Atoi(whole)
	if err != nil || len(part) > 2 {
		return 0, errors.New("no amount: " + text)
	}
	for len(part) < 2 {
		part += "0"
	}
	rest, err := strconv.Atoi(part)
	return cents*100 + rest, err // @mark parsed
}
