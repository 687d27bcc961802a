package process

import (
	"fmt"
	"os"
)

// OtherRoot is the path to the root directory of a process whose root is not ours, as in another
// container. It is empty if the root is ours, or cannot be looked at.
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
