//go:build unix

package debugpy

import (
	"os"
	"syscall"
)

// owner is the user that a file belongs to, -1 when it cannot be told.
func owner(path string) int {
	info, err := os.Stat(path)
	if err != nil {
		return -1
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}
