//go:build unix

package gateway

import (
	"io/fs"
	"os"
	"syscall"
)

// openToOthers says who else may read or has made a file, empty for nobody.
func openToOthers(info fs.FileInfo) string {
	if info.Mode().Perm()&0o077 != 0 {
		return "can be read by others"
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid() {
		return "belongs to somebody else"
	}
	return ""
}
