package process

import (
	"bytes"
	"os"
	"strconv"
)

// below lists the processes that descend from one, parents before their children; none
// where the system does not tell a process's children. It asks as many processes as there
// are in the tree, and not the whole machine's.
func below(root int) []int {
	tree, known := []int{root}, map[int]bool{root: true}
	for i := 0; i < len(tree); i++ {
		for _, child := range childrenOf(tree[i]) {
			if !known[child] { // its number may be given anew meanwhile
				tree, known[child] = append(tree, child), true
			}
		}
	}
	return tree[1:]
}

// childrenOf are the processes that the threads of one have started, those that have ended
// and are not waited for among them. See proc_pid_task_tid_children(5).
func childrenOf(pid int) (children []int) {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return nil
	}
	defer dir.Close()
	threads, _ := dir.Readdirnames(-1)
	for _, thread := range threads {
		for field := range bytes.FieldsSeq(readTwice(tasks + "/" + thread + "/children")) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// readTwice reads a list until it says the same two times: the system may leave out a
// process while the one before it ends.
func readTwice(path string) []byte {
	list, _ := os.ReadFile(path)
	for range 5 {
		again, _ := os.ReadFile(path)
		if bytes.Equal(list, again) {
			break
		}
		list = again
	}
	return list
}
