//go:build !linux

package process

// Conceal does nothing here.
func Conceal() {}
