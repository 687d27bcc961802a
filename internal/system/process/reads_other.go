//go:build !linux

package process

import "os"

// ReadsFrom says that a program is blocked in a read of its standard input.
// This system does not tell, and the answer is no.
func ReadsFrom(*os.File) bool { return false }

// WriterOf is the process whose standard output is a pipe; this system does not tell.
func WriterOf(*os.File) int { return 0 }
