package process

import (
	"os/exec"
	"sync"
)

// begun are the supervisors and keepers that this process has started and not
// waited for yet. It is one list for the whole process, as the orphans that come
// to it do: these are told from those by it, dead ones too.
var begun = roll{pids: map[int]bool{}}

type roll struct {
	mu   sync.Mutex
	pids map[int]bool
}

// start starts a process that is to be waited for with wait.
func (r *roll) start(cmd *exec.Cmd) error {
	r.mu.Lock() // nobody may look between the start and the entry
	defer r.mu.Unlock()
	if err := cmd.Start(); err != nil {
		return err
	}
	r.pids[cmd.Process.Pid] = true
	return nil
}

func (r *roll) wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.pids, cmd.Process.Pid)
	return err
}

func (r *roll) has(pid int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pids[pid]
}
