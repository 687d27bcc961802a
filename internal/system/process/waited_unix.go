//go:build unix && !linux

package process

// awaitAny is any child, and does not wait: this system does not tell what one has started
// that has ended.
func awaitAny() int { return -1 }
