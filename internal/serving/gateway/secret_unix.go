//go:build unix

package gateway

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// othersAccess says who else may read or has made a file, empty for nobody.
func othersAccess(info fs.FileInfo) string {
	if isSharedByRoot(info) {
		return ""
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "can be read by others"
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid() {
		return "belongs to somebody else"
	}
	return ""
}

// isSharedByRoot says that a file is root's, and readable for a group of ours: so Kubernetes gives
// secrets to a pod that does not run as root.
func isSharedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid != 0 || os.Getuid() == 0 || info.Mode().Perm()&^0o640 != 0 {
		return false
	}
	groups, err := os.Getgroups()
	return err == nil && slices.Contains(append(groups, os.Getegid()), int(stat.Gid))
}

// othersKeyAccess says who else may use a private key, empty for nobody. Its group
// may read it: on many systems keys have one of their own.
func othersKeyAccess(info fs.FileInfo) string {
	switch mode := info.Mode().Perm(); {
	case mode&0o007 != 0:
		return "can be read or written by others"
	case mode&0o020 != 0:
		return "can be written by its group"
	}
	return ""
}

// othersWriteAccess says who else may change a file, empty for nobody.
func othersWriteAccess(info fs.FileInfo) string {
	if info.Mode().Perm()&0o022 != 0 {
		return "can be written by others"
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Getuid() {
		return "belongs to somebody else"
	}
	return ""
}
