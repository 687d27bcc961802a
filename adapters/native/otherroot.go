package native

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// mostLoaded bounds the number of directories in which libraries are looked for.
const mostLoaded = 50

// loadedDirs are the directories from which a process has loaded its code, by its own paths.
func loadedDirs(pid int) (dirs []string) {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() && len(dirs) < mostLoaded {
		fields := strings.Fields(lines.Text())
		if len(fields) < 6 || !strings.Contains(fields[1], "x") || !strings.HasPrefix(fields[5], "/") {
			continue
		}
		if dir := path.Dir(fields[5]); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// lldbRoot is LLDB's commands to look for the files of a process below its root directory.
func lldbRoot(s *start) (list []string) {
	if s.root == "" {
		return nil
	}
	list = append(list, "platform select --sysroot "+lldbQuote(s.root)+" host")
	for _, dir := range loadedDirs(s.pid) {
		list = append(list, "settings append target.exec-search-paths "+lldbQuote(s.root+dir))
	}
	return list
}

// gdbRoot is gdb's arguments for the same.
func gdbRoot(s *start) []string {
	if s.root == "" {
		return nil
	}
	return []string{"-iex", "set sysroot " + gdbQuote(s.root)}
}
