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

// Chroot is the directory that a process sees as its root, where it shares our mounts (chroot): it runs
// in no other container. It is empty otherwise, and where that is not known.
func Chroot(pid int) string {
	if OtherRoot(pid) == "" {
		return ""
	}
	its, err := os.Stat(fmt.Sprintf("/proc/%d/ns/mnt", pid))
	if err != nil {
		return ""
	}
	ours, err := os.Stat("/proc/self/ns/mnt")
	if err != nil || !os.SameFile(its, ours) {
		return ""
	}
	dir, err := os.Readlink(fmt.Sprintf("/proc/%d/root", pid))
	if err != nil {
		return ""
	}
	return dir
}
