package process

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/windows"
)

// apart keeps a keeper out of our console group: it must outlive what ends us.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// owned: the temporary directory is each user's own on Windows.
func owned(fs.FileInfo) bool { return true }
