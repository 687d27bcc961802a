//go:build !linux

package process

// OnlyThread is not known here.
func OnlyThread(int) bool { return false }
