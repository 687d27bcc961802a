package process

import (
	"fmt"
	"os"
)

// OnlyThread says that a thread of this machine, by the system's number, is the
// only one of its process; false where that is not known. It reads /proc/ID/task.
func OnlyThread(thread int) bool {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", thread))
	return err == nil && len(tasks) == 1
}
