//go:build amd64 || arm64

package detach

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// task is what the system tells of a thread.
type task struct {
	state           byte
	tracer          int     // the thread that traces it, 0 when none does
	pending, shared signals // for itself, for the process
	blocked         signals
}

// isStopped says that its tracer may speak to it.
func (t task) isStopped() bool { return t.state == 't' || t.state == 'T' && t.tracer != 0 }

func (t task) hasExited() bool { return t.state == 'Z' || t.state == 'X' || t.state == 'x' }

// signals are a set of them.
type signals uint64

func (s signals) has(signal unix.Signal) bool { return s&(1<<(signal-1)) != 0 }

func tasks(pid int) []int {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid)) // none: it is gone
	ids := make([]int, 0, len(entries))
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func readTask(pid, id int) (task, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, id))
	if err != nil {
		return task{}, err
	}
	var t task
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		switch name {
		case "State":
			t.state = (value + "?")[0]
		case "TracerPid":
			t.tracer, _ = strconv.Atoi(value)
		case "SigPnd":
			t.pending = parseSignals(value)
		case "ShdPnd":
			t.shared = parseSignals(value)
		case "SigBlk":
			t.blocked = parseSignals(value)
		}
	}
	return t, nil
}

func parseSignals(text string) signals {
	n, _ := strconv.ParseUint(text, 16, 64)
	return signals(n)
}

// Untraced says that a thread of the process is traced by nobody.
func Untraced(pid int) bool {
	for _, id := range tasks(pid) {
		if t, err := readTask(pid, id); err == nil && !t.hasExited() && t.tracer == 0 {
			return true
		}
	}
	return false
}
