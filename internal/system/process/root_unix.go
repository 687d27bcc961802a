//go:build unix

package process

import (
	"io/fs"
	"os"
	"syscall"
)

// apart keeps a keeper out of our process group: it must outlive what ends us.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// owned says that a file is this user's.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
