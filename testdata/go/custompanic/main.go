// Custompanic panics with an error type of its own that wraps another.
package main

import (
	"errors"
	"fmt"
)

type orderError struct {
	Order int
	Err   error
}

func (e *orderError) Error() string { return fmt.Sprintf("order %d: %v", e.Order, e.Err) }
func (e *orderError) Unwrap() error { return e.Err }

func ship(order int, stock int) {
	missing := order - stock //@mark missing
	if missing > 0 {
		panic(&orderError{Order: order, Err: errors.New("out of stock")}) //@mark panic
	}
}

func main() {
	func() {
		defer func() { fmt.Println("recovered:", recover()) }()
		panic("handled") //@mark handled
	}()
	ship(3, 5)
	ship(8, 5) //@mark ship
}
