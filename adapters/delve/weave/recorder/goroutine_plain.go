//go:build go1.22 && !amd64 && !arm64

package recorder

import "unsafe"

func getg() unsafe.Pointer { return nil }
