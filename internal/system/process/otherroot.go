package process

import (
	"fmt"
	"os"
)

// OtherRoot is where the files of a process lie whose root is not ours, as of one in another
// container; empty where it is, or cannot be looked at.
func OtherRoot(pid int) string {
	root := fmt.Sprintf("/proc/%d/root", pid)
	its, err := os.Stat(root + "/")
	if err != nil {
		return ""
	}
	ours, err := os.Stat("/")
	if err != nil || os.SameFile(its, ours) {
		return ""
	}
	return root
}
