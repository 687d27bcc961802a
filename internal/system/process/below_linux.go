package process

import (
	"bytes"
	"os"
	"strconv"
)

// Below lists the processes that descend from one, parents before their children; none
// where the system does not tell a process's children. It asks as many processes as there
// are in the tree, and not the whole machine's.
func Below(root int) []int { return descend(ChildrenOf(root)) }

// belowSupervisor lists the processes that descend from a supervisor, parents before their
// children, and says whether the system tells them.
func belowSupervisor(pid int) (members []int, isTold bool) {
	children, err := supervisedBy(pid)
	return descend(children), err == nil
}

// descend adds to some processes those that descend from them.
func descend(tree []int) []int {
	known := map[int]bool{}
	for _, pid := range tree {
		known[pid] = true
	}
	for i := 0; i < len(tree); i++ {
		for _, child := range ChildrenOf(tree[i]) {
			if !known[child] { // its number may be given anew meanwhile
				tree, known[child] = append(tree, child), true
			}
		}
	}
	return tree
}

// supervisedBy are the children of a supervisor, those that have ended and are not waited
// for among them. All are its first thread's, which starts the child and is the first to
// get orphans. The others are not asked: the system keeps what was read of a thread until
// that ends, and who waits for the process then spins, on a busy machine for 20 ms, until
// all of it is dropped.
func supervisedBy(pid int) ([]int, error) {
	id := strconv.Itoa(pid)
	return readChildren("/proc/" + id + "/task/" + id + "/children")
}

// ChildrenOf are the processes that the threads of one have started, those that have ended
// and are not waited for among them.
func ChildrenOf(pid int) (children []int) {
	if begun.has(pid) {
		children, _ = supervisedBy(pid)
		return children
	}
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	dir, err := os.Open(tasks)
	if err != nil {
		return nil
	}
	defer dir.Close()
	threads, _ := dir.Readdirnames(-1)
	for _, thread := range threads {
		its, _ := readChildren(tasks + "/" + thread + "/children")
		children = append(children, its...)
	}
	return children
}

// readChildren reads a thread's list of children until it says the same two times: the
// system may leave out a process while the one before it ends. See
// proc_pid_task_tid_children(5).
func readChildren(path string) (children []int, err error) {
	list, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for range 5 {
		again, _ := os.ReadFile(path)
		if bytes.Equal(list, again) {
			break
		}
		list = again
	}
	for field := range bytes.FieldsSeq(list) {
		if child, err := strconv.Atoi(string(field)); err == nil {
			children = append(children, child)
		}
	}
	return children, nil
}
