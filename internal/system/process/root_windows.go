package process

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup keeps a keeper out of our console group: it must outlive what ends us.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// isOwned is always so: the temporary directory is each user's own on Windows.
func isOwned(fs.FileInfo) bool { return true }
