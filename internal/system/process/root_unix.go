//go:build unix

package process

import (
	"io/fs"
	"os"
	"syscall"
)

// ownGroup keeps a keeper out of our process group: it must outlive what ends us.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// isOwned says that a file is this user's.
func isOwned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
