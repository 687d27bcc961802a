package java

import (
	"os/user"
	"path/filepath"
	"runtime"
)

// monitored is the directory in which every JVM of this user keeps the file by which jps,
// jcmd and jstat find it, and of which each new JVM takes away what looks left over: so
// JVMs read and remove the files of others. Empty but on Linux, where its place is fixed.
func monitored() string {
	self, err := user.Current()
	if err != nil || runtime.GOOS != "linux" {
		return ""
	}
	return filepath.Join("/tmp", "hsperfdata_"+self.Username)
}
