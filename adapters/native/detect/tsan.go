package detect

import (
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

var (
	tsanReport = pattern.New(`(?ms)^WARNING: ThreadSanitizer: ([^\n]*?) \(pid=\d+\)\n(.*?)(?:^==================$|\z)`) // the program may have ended in the midst of it
	tsanFatal  = pattern.New(`(?m)^(?:==\d+==)?\s*FATAL: ThreadSanitizer:? ?(.*)$`)
	tsanAccess = pattern.New(`^(?:Previous )?((?i:atomic )?(?i:read|write)) of size \d+ at 0x[0-9a-f]+ by (main thread|thread T\d+)\b`)
	tsanThread = pattern.New(`^Thread (T\d+)\b.* created by (main thread|thread T\d+)\b.*at:$`)
	tsanGlobal = pattern.New(`^Location is global '([^']+)'`)
	tsanHeap   = pattern.New(`^Location is heap block of size (\d+) at 0x[0-9a-f]+ allocated by (main thread|thread T\d+)\b`)
	tsanStack  = pattern.New(`^Location is stack of (main thread|thread T\d+)\b`)
	tsanLocks  = pattern.New(`^Mutex (M\d+) acquired here while holding mutex (M\d+) in (main thread|thread T\d+)\b`)
	tsanHeld   = pattern.New(`^Mutex (M\d+) previously acquired by the same thread here:`)
	tsanMutex  = pattern.New(`^Mutex (M\d+) .*created at:$`)
)

// tsanKinds are the reports that are no data races, by the beginnings of their names.
var tsanKinds = []struct {
	name string
	kind adapters.FaultKind
}{
	{"data race", adapters.DataRace}, {"race on", adapters.DataRace}, {"heap-use-after-free", adapters.MemoryFault},
	{"use of an invalid vptr", adapters.MemoryFault}, {"lock-order-inversion", adapters.LockOrder},
}

// TSan reads what ThreadSanitizer has written of one process; fatal is why it could not work.
func (dirs Dirs) TSan(log string) (d adapters.Detection, fatal string) {
	if m := tsanFatal.FindStringSubmatch(log); m != nil {
		return d, m[1]
	}
	for _, m := range tsanReport.FindAllStringSubmatch(log, -1) {
		if strings.HasPrefix(m[1], "thread leak") {
			note := "a thread was left running that nobody has joined or detached"
			for _, s := range dirs.sections(m[2]) {
				if made := tsanThread.FindStringSubmatch(s.words); made != nil {
					note += strings.Replace(allocatedAt(s.frames), "allocated", "made", 1)
				}
			}
			d.Notes = append(d.Notes, note)
			continue
		}
		d.Faults = append(d.Faults, dirs.tsanFault(m[1], m[2], m[0]))
	}
	return d, ""
}

func (dirs Dirs) tsanFault(name, body, text string) adapters.DetectedFault {
	f := adapters.DetectedFault{
		Kind: adapters.UndefinedBehavior, Message: name, // of a mutex, a signal handler
		Text: strings.TrimSpace(strings.TrimSuffix(text, "==================")),
	}
	for _, k := range tsanKinds {
		if strings.HasPrefix(name, k.name) {
			f.Kind = k.kind
			break
		}
	}
	list := dirs.sections(name + "\n" + body) // the frames of what is no access stand below its name
	made := map[string][]adapters.Thrown{}
	for _, s := range list {
		if m := tsanThread.FindStringSubmatch(s.words); m != nil {
			made["thread "+m[1]] = s.frames
		}
	}
	thread := ""
	for i, s := range list {
		if m := tsanLocks.FindStringSubmatch(s.words); m != nil {
			thread = m[3]
		}
		a, is := tsanAccessOf(s, thread)
		if is {
			a.Made = made[a.Thread]
			f.Accesses = append(f.Accesses, a)
		} else if i == 0 && len(s.frames) > 0 {
			f.Accesses = append(f.Accesses, adapters.Access{Kind: "call", Frames: s.frames})
		}
		if m := tsanGlobal.FindStringSubmatch(s.words); m != nil {
			f.Message += " on global '" + m[1] + "'"
		}
		if m := tsanStack.FindStringSubmatch(s.words); m != nil {
			f.Message += " on the stack of " + m[1]
		}
	}
	return f
}

func tsanAccessOf(s section, thread string) (adapters.Access, bool) {
	if m := tsanAccess.FindStringSubmatch(s.words); m != nil {
		return adapters.Access{Kind: strings.ToLower(m[1]), Thread: m[2], Frames: s.frames}, true
	}
	if m := tsanHeap.FindStringSubmatch(s.words); m != nil {
		return adapters.Access{Kind: "allocated", Thread: m[2], Frames: s.frames}, true
	}
	if m := tsanLocks.FindStringSubmatch(s.words); m != nil {
		return adapters.Access{Kind: "locks " + m[1] + " while holding " + m[2], Thread: m[3], Frames: s.frames}, true
	}
	if m := tsanHeld.FindStringSubmatch(s.words); m != nil {
		return adapters.Access{Kind: "locked " + m[1] + " before", Thread: thread, Frames: s.frames}, true
	}
	if m := tsanMutex.FindStringSubmatch(s.words); m != nil {
		return adapters.Access{Kind: "mutex " + m[1] + " made", Frames: s.frames}, true
	}
	return adapters.Access{}, false
}
