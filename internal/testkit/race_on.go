//go:build race

package testkit

// raced says that the tests themselves look for data races.
const raced = true
