package java

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/profiling"
	"aidb-mcp/internal/text/pattern"
)

const betweenLooks = 250 * time.Millisecond

// housekeepers are threads of the JVM itself, which stand always.
var housekeepers = []string{"Reference Handler", "Finalizer", "Common-Cleaner", "Signal Dispatcher", "Notification Thread", "Attach Listener", "JFR Recorder Thread", "JFR Periodic Tasks", "JFR Shutdown Hook"}

// waits looks at all threads, again and again.
func (v jvm) waits(ctx context.Context, p adapters.Profiled, w profiling.Spec) (*profiling.Profile, error) {
	b, at := profiling.NewBuilder(profiling.Waits), v.places()
	began := time.Now()
	looks, ended := 0, false
	for {
		text, err := v.jcmd(ctx, "Thread.print")
		if err != nil && looks == 0 {
			return nil, err
		}
		if err != nil {
			ended = true // what was seen until then stands
			break
		}
		looks++
		for _, t := range threadsOf(text) {
			b.Add(t.stack(at), map[string]string{profiling.WaitsLabel: t.waits, profiling.ThreadLabel: t.name}, 1)
		}
		if time.Since(began)+betweenLooks > w.For {
			break
		}
		if ended, err = p.Wait(ctx, betweenLooks); err != nil {
			return nil, err
		}
		if ended {
			break
		}
	}
	return &profiling.Profile{
		Data: b.Profile(), Lasted: time.Since(began), Ended: ended,
		How:  fmt.Sprintf("all threads but the JVM's own were looked at (jcmd Thread.print), so many times: %d; virtual threads that are not running are not in it", looks),
		Cost: "each look stops the program for as long as its threads' stacks are written down: mostly some milliseconds",
	}, nil
}

// dumpedThread is a thread in a dump.
type dumpedThread struct {
	name, waits string
	frames      []dumped
}

type dumped struct {
	class, method string
	line          int
}

var (
	threadHead = pattern.New(`^"(.*)" #\d+`)
	threadAt   = pattern.New(`^\s+at (?:[^/\s()]+/)*([^/\s()]+)\.([^.\s()]+)\(([^)]*)\)`)
	threadHow  = pattern.New(`^\s+- (waiting on|waiting to lock|parking to wait for|locked|waiting to re-lock in wait\(\))\s+<[^>]*>(?: \(an? ([^)]*)\))?`)
	threadIs   = pattern.New(`^\s+java\.lang\.Thread\.State: (.+)`)
)

// threadsOf reads the Java threads of a thread dump.
func threadsOf(text string) []dumpedThread {
	var all []dumpedThread
	var now *dumpedThread
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := threadHead.FindStringSubmatch(line); m != nil {
			all = append(all, dumpedThread{name: m[1]})
			now = &all[len(all)-1]
			continue
		}
		if now == nil {
			continue
		}
		if strings.TrimSpace(line) == "" {
			now = nil
			continue
		}
		now.take(line)
	}
	var java []dumpedThread
	for _, t := range all {
		if len(t.frames) > 0 && !slices.Contains(housekeepers, t.name) {
			java = append(java, t)
		}
	}
	return java
}

// take reads a line about the thread.
func (t *dumpedThread) take(line string) {
	if m := threadIs.FindStringSubmatch(line); m != nil {
		if t.waits = strings.ToLower(m[1]); strings.HasPrefix(m[1], "RUNNABLE") {
			t.waits = "running, or in a call of the system"
		}
		return
	}
	if m := threadAt.FindStringSubmatch(line); m != nil {
		_, number, _ := strings.Cut(m[3], ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			n = 0 // native, or without a line
		}
		t.frames = append(t.frames, dumped{m[1], m[2], n})
		return
	}
	if m := threadHow.FindStringSubmatch(line); m != nil && m[1] != "locked" && m[2] != "" && !strings.Contains(t.waits, " of ") {
		what := map[string]string{"waiting on": "a notify of ", "waiting to lock": "the lock of ", "parking to wait for": "parked for "}[m[1]]
		if what != "" {
			t.waits = what + m[2]
		}
	}
}

func (t dumpedThread) stack(at classSources) []profiling.Frame {
	var stack []profiling.Frame
	for _, f := range t.frames {
		stack = append(stack, at.frame(f.class, f.method, f.line))
	}
	return stack
}
