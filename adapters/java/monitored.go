package java

import (
	"os/user"
	"path/filepath"
	"runtime"
)

// Monitored is the directory in which every JVM of this user keeps the file by which jps,
// jcmd and jstat find it, and of which each new JVM takes away what looks left over: so
// JVMs read and remove the files of others. Only on Linux is its place fixed.
func Monitored() (dir string, ok bool) {
	self, err := user.Current()
	if err != nil || runtime.GOOS != "linux" {
		return "", false
	}
	return filepath.Join("/tmp", "hsperfdata_"+self.Username), true
}
