//go:build ignore

// Package hook is put into a Go program as it is built, as a package of the standard
// library, which may say what is to be done at the program's end. There it writes down the
// stacks of the goroutines that are left, once they have had a short time to end.
//
// Only there it is built, without the constraint above: it imports what no other package may.
// Beside that it imports what every program has, and must change nothing that the program sees.
package hook

import (
	"internal/runtime/exithook"
	"os"
	"runtime"
	"strings"
	"time"
)

// How the program is told where to write, and what GODEBUG was before us.
const (
	variable = "AIDB_LEFT"
	restored = "AIDB_LEFT_GODEBUG"
)

// How long what is left may take to end. What only waits for others, and does so unchanged
// for as long as still, is not waited for any longer.
const (
	limit   = 500 * time.Millisecond
	still   = 200 * time.Millisecond
	longest = 20 * time.Millisecond // between two looks
	most    = 8 << 20               // bytes of stacks
)

func init() {
	dir := os.Getenv(variable)
	if dir == "" {
		return
	}
	os.Unsetenv(variable)
	if before, set := os.LookupEnv(restored); set {
		os.Setenv("GODEBUG", before)
		os.Unsetenv(restored)
	} else {
		os.Unsetenv("GODEBUG")
	}
	exithook.Add(exithook.Hook{F: func() { atEnd(dir) }})
}

// atEnd is called at an end with exit code 0, in the goroutine that ends the program.
func atEnd(dir string) {
	if os.WriteFile(dir+"/over", nil, 0o600) != nil {
		return
	}
	begun := time.Now()
	stacks, whole := look()
	processes := children()
	changed := begun
	for pause := time.Millisecond; time.Since(begun) < limit && (counts(stacks) || processes != ""); pause = min(2*pause, longest) {
		if time.Since(changed) >= still && parked(stacks) {
			break
		}
		time.Sleep(pause)
		again, all := look()
		if headers(again) != headers(stacks) {
			changed = time.Now()
		}
		stacks, whole = again, all
		processes = children()
	}
	name := "/whole"
	if !whole {
		name = "/part"
	}
	_ = os.WriteFile(dir+"/processes", []byte(processes), 0o600)
	if os.WriteFile(dir+"/writing", []byte(stacks), 0o600) == nil {
		_ = os.Rename(dir+"/writing", dir+name)
	}
}

// look is the stacks of all goroutines but that which calls it, and whether it is all of them.
func look() (stacks string, whole bool) {
	for size := 64 << 10; ; size *= 4 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size || size >= most {
			_, others, _ := strings.Cut(string(text[:n]), "\n\n")
			return others, n < size
		}
	}
}

// children are the processes that this one has begun and that run, one a line: the number and
// what it was called with.
func children() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	tasks, _ := os.ReadDir("/proc/self/task")
	var all strings.Builder
	for _, t := range tasks {
		list, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		for _, pid := range strings.Fields(string(list)) {
			stat, _ := os.ReadFile("/proc/" + pid + "/stat")
			_, rest, _ := strings.Cut(string(stat), ") ")
			if rest == "" || rest[0] == 'Z' || rest[0] == 'X' { // it has ended
				continue
			}
			line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			words := strings.TrimRight(strings.Map(printable, string(line[:min(len(line), 300)])), " ")
			all.WriteString(pid + " " + words + "\n")
		}
	}
	return all.String()
}

func printable(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// counts says that there may be something which is to be told.
func counts(stacks string) bool {
	for _, g := range strings.Split(stacks, "\n\n") {
		if g != "" && !strings.Contains(g, "os/signal.loop()") && !strings.Contains(g, "net/http.(*persistConn)") {
			return true
		}
	}
	return false
}

// headers are the first lines of all: which goroutines there are, and why they wait.
func headers(stacks string) string {
	var all strings.Builder
	for _, g := range strings.Split(stacks, "\n\n") {
		line, _, _ := strings.Cut(g, "\n")
		all.WriteString(line)
	}
	return all.String()
}

// parked says that all wait for what others would do.
func parked(stacks string) bool {
	for _, g := range strings.Split(stacks, "\n\n") {
		line, _, _ := strings.Cut(g, "\n")
		waits := false
		for _, reason := range []string{"[chan ", "[select", "[sync.", "[semacquire", "[sleep", "[IO wait"} {
			waits = waits || strings.Contains(line, reason)
		}
		if line != "" && !waits {
			return false
		}
	}
	return true
}
