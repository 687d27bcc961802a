package native

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"aidb-mcp/internal/system/process"
)

// mostLoaded bounds the number of directories in which libraries are looked for.
const mostLoaded = 50

// loadedDirs are the directories from which a process has loaded its code, by the paths that the system
// tells us: its own where it has other mounts, and ours where it was only put behind a chroot.
func loadedDirs(pid int) (dirs []string) {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() && len(dirs) < mostLoaded {
		file := codeFile(lines.Text())
		if dir := path.Dir(file); file != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// codeFile is the file that a line of /proc/PID/maps tells to hold code, empty where that is in none.
// All fields but this last one are without spaces; of a file that was deleted the kernel says so.
func codeFile(line string) string {
	fields := strings.SplitN(line, " ", 6)
	if len(fields) < 6 || !strings.Contains(fields[1], "x") {
		return ""
	}
	file := strings.TrimLeft(fields[5], " ")
	if !strings.HasPrefix(file, "/") {
		return "" // [vdso] and others
	}
	return strings.TrimSuffix(file, " (deleted)")
}

// lldbRoot is LLDB's commands to look for the files of a process below its root directory.
func lldbRoot(s *start) (list []string) {
	if s.root == "" {
		return nil
	}
	list = append(list, "platform select --sysroot "+lldbQuote(s.root)+" host")
	above := s.root
	if process.Chroot(s.pid) != "" {
		above = ""
	}
	for _, dir := range loadedDirs(s.pid) {
		list = append(list, "settings append target.exec-search-paths "+lldbQuote(above+dir))
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
