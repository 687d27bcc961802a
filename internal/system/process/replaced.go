package process

import (
	"fmt"
	"os"
	"strings"
)

// Replaced warns where the executable of a process is not that of its path any more; empty where it is,
// and where that is not known.
func Replaced(pid int) string {
	path, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil {
		return "" // not ours, or a system without /proc
	}
	path, deleted := strings.CutSuffix(path, " (deleted)")
	if !deleted {
		return ""
	}
	return fmt.Sprintf("%s was deleted or built again since process %d was started: lines may not match", path, pid)
}
