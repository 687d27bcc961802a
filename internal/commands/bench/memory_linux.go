package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// resident is memory in MB: rss counts shared pages fully for each process, pss
// its share. The supervisors' part of rss is told apart.
type resident struct{ rss, pss, supervisors float64 }

// residentOf reads one process.
func residentOf(pid int) (resident, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return resident{}, err
	}
	defer func() { _ = f.Close() }()
	var r resident
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 {
			continue
		}
		kb, _ := strconv.ParseFloat(fields[1], 64) // other lines hold no number and are not asked for
		switch fields[0] {
		case "Rss:":
			r.rss = kb * 1024 / 1e6
		case "Pss:":
			r.pss = kb * 1024 / 1e6
		}
	}
	return r, nil
}

// residentTree sums up a process and its descendants, without those that run the program.
func residentTree(pid int, program string) (resident, error) {
	sum, err := residentOf(pid)
	if err != nil {
		return sum, err
	}
	if supervises(pid) {
		sum.supervisors = sum.rss
	}
	for _, child := range childrenOf(pid) {
		if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", child)); err == nil && exe == program {
			continue
		}
		r, err := residentTree(child, program)
		if err != nil {
			return sum, err
		}
		sum.rss += r.rss
		sum.pss += r.pss
		sum.supervisors += r.supervisors
	}
	return sum, nil
}

func supervises(pid int) bool {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && strings.Contains(string(line), "\x00supervise\x00")
}

func childrenOf(pid int) []int {
	var children []int
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended meanwhile
		}
		for field := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
