//go:build amd64 || arm64

package mend

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Look tells how a program is. An error says what could not be seen; what could be is
// told beside it.
func Look(pid int) (Sight, error) {
	sight, err := stateOf(pid)
	if err != nil || !sight.IsAlive {
		return sight, err
	}
	sight.Traps, err = findTraps(pid)
	return sight, err
}

// stateOf is a program's state without a look at its text.
func stateOf(pid int) (Sight, error) {
	status, err := os.ReadFile(processFile(pid, "status"))
	if os.IsNotExist(err) {
		return Sight{}, nil
	}
	if err != nil {
		return Sight{}, fmt.Errorf("looking at process %d: %w", pid, err)
	}
	state := field(status, "State:")
	tracer, _ := strconv.Atoi(field(status, "TracerPid:"))
	return Sight{
		IsAlive:   !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X") || hasLiveThread(pid),
		Tracer:    tracer,
		IsStopped: strings.HasPrefix(state, "T"),
	}, nil
}

// Tracer is the thread of the debugger that holds one of the program's threads, 0 when
// none does.
func Tracer(pid int) (int, error) {
	for _, tid := range threadIDs(pid) {
		status, err := os.ReadFile(processFile(pid, "task/"+strconv.Itoa(tid)+"/status"))
		if err != nil && !os.IsNotExist(err) {
			return 0, fmt.Errorf("looking at process %d: %w", pid, err)
		}
		if tracer, _ := strconv.Atoi(field(status, "TracerPid:")); tracer != 0 {
			return tracer, nil
		}
	}
	return 0, nil
}

// hasLiveThread is for a program whose first thread has ended before the others.
func hasLiveThread(pid int) bool {
	for _, tid := range threadIDs(pid) {
		status, err := os.ReadFile(processFile(pid, "task/"+strconv.Itoa(tid)+"/status"))
		if state := field(status, "State:"); err == nil && state != "" && state[0] != 'Z' && state[0] != 'X' {
			return true
		}
	}
	return false
}

func threadIDs(pid int) []int {
	entries, _ := os.ReadDir(processFile(pid, "task"))
	ids := make([]int, 0, len(entries))
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// field is a line of a status file of /proc without its name.
func field(status []byte, name string) string {
	for line := range bytes.Lines(status) {
		if value, ok := bytes.CutPrefix(line, []byte(name)); ok {
			return string(bytes.TrimSpace(value))
		}
	}
	return ""
}

func processFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }
