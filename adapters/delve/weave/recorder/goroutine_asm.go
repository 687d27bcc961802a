//go:build go1.22 && (amd64 || arm64)

package recorder

import "unsafe"

// getg is the runtime's own record of the goroutine that runs.
func getg() unsafe.Pointer
