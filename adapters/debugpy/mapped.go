package debugpy

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/adapters/prepare"
	"aidb-mcp/internal/system/netstat"
	"aidb-mcp/internal/system/process"
)

// Files are the script or module that the process runs.
func (*adapter) Files(_ context.Context, r adapters.Request) []string {
	pid := r.Debuggee.PID
	if pid == 0 {
		return nil
	}
	line, dir := wordsOf(pid), workdirOf(pid)
	if servesProgram(line) {
		line, dir = listenerCommand(r.Port, dir)
	}
	return filesOf(line, dir)
}

// servesProgram says by its command line that a process is the debug adapter that debugpy.listen has
// started beside a program.
func servesProgram(line []string) bool { return slices.Contains(line, "--for-server") }

// servedBy is the program whose adapter a process is, or the process itself if it is no adapter. It is
// 0 if the system does not tell who is connected to the adapter. Of several processes that are, the
// program is the one that has started the others.
func servedBy(pid int) int {
	if !servesProgram(wordsOf(pid)) {
		return pid
	}
	all := slices.DeleteFunc(netstat.Peers(pid), func(peer int) bool { return peer == pid || pythonProcess(peer) != isPython })
	for _, peer := range all {
		above := process.Lineage(peer)
		if !slices.ContainsFunc(all, func(o int) bool { return o != peer && slices.Contains(above, o) }) {
			return peer
		}
	}
	return 0
}

// listenerCommand is the command line, and the directory, of a program that was told to
// listen for debuggers at a port; none when it told itself to.
func listenerCommand(port int, at string) (line []string, dir string) {
	for _, other := range process.Mine() {
		words := wordsOf(other.PID)
		i := slices.Index(words, "--listen")
		if i < 0 || i+1 == len(words) || !strings.Contains(other.Command, "debugpy") {
			continue
		}
		if address := words[i+1]; address == strconv.Itoa(port) || strings.HasSuffix(address, ":"+strconv.Itoa(port)) {
			return words, workdirOf(other.PID)
		}
	}
	return nil, at
}

// filesOf are the files that a command line of Python may run, by its own paths.
func filesOf(line []string, dir string) []string {
	if script := scriptIn(line); script != "" {
		return []string{prepare.Absolute(dir, script)}
	}
	i := slices.Index(line, "-m")
	if i < 0 || i+1 == len(line) {
		return nil
	}
	if line[i+1] == "debugpy" {
		return filesOf(debuggedCommand(line[i+1:]), dir)
	}
	module := prepare.Absolute(dir, strings.ReplaceAll(line[i+1], ".", "/"))
	return []string{module + ".py", filepath.Join(module, "__main__.py")}
}

// debuggedCommand is the command line of the program that debugpy's own names.
func debuggedCommand(line []string) []string {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == "--listen" || line[i] == "--connect" || line[i] == "--log-to" || line[i] == "--pid":
			i++
		case strings.HasPrefix(line[i], "--configure-"):
			i++
		case !strings.HasPrefix(line[i], "--"):
			return append([]string{"python"}, line[i:]...)
		}
	}
	return nil
}
