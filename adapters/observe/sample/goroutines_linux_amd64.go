package sample

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"aidb-mcp/adapters/observe/image"
	"aidb-mcp/internal/profiling"
)

// goroutines is where a program of Go has its goroutines, by its executable.
type goroutines struct {
	image   *image.Image
	memory  *os.File
	bias    uint64
	all     uint64 // the slice of all of them
	reasons uint64 // the texts of what they wait for
	offset  struct{ status, reason, sched, pc, sp, bp int64 }
	calls   map[uint64][]image.Call
	texts   map[byte]string
}

// findGoroutines finds them; nil where the program is none of Go.
func findGoroutines(pid int, memory *os.File) (*goroutines, error) {
	im, err := image.Open(fmt.Sprintf("/proc/%d/exe", pid))
	if err != nil || !im.IsGo {
		if im != nil {
			_ = im.Close() // it was only read
		}
		if errors.Is(err, os.ErrPermission) {
			return nil, err
		}
		return nil, nil
	}
	g := &goroutines{image: im, memory: memory, calls: map[uint64][]image.Call{}, texts: map[byte]string{}}
	if err := g.find(pid); err != nil {
		g.close()
		return nil, fmt.Errorf("finding the goroutines: %w", err)
	}
	return g, nil
}

func (g *goroutines) find(pid int) (err error) {
	if g.image.Moves() {
		s := &space{pid: pid}
		s.refresh()
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		if err != nil {
			return err
		}
		for _, m := range s.mappings {
			if address, err := g.image.Address(m.offset); err == nil && m.path == exe {
				g.bias = m.from - address
				break
			}
		}
	}
	for _, v := range []struct {
		name string
		to   *uint64
	}{{"runtime.allgs", &g.all}, {"runtime.waitReasonStrings", &g.reasons}} {
		static, err := g.image.Static(v.name)
		if err != nil {
			return err
		}
		*v.to = static.Address + g.bias
	}
	for _, f := range []struct {
		typ, name string
		to        *int64
	}{
		{"runtime.g", "atomicstatus", &g.offset.status},
		{"runtime.g", "waitreason", &g.offset.reason},
		{"runtime.g", "sched", &g.offset.sched},
		{"runtime.gobuf", "pc", &g.offset.pc},
		{"runtime.gobuf", "sp", &g.offset.sp},
		{"runtime.gobuf", "bp", &g.offset.bp},
	} {
		if *f.to, err = g.image.FieldOffset(f.typ, f.name); err != nil {
			return err
		}
	}
	return nil
}

func (g *goroutines) close() { _ = g.image.Close() } // it was only read

func (g *goroutines) word(at uint64) (uint64, error) {
	var b [8]byte
	if _, err := g.memory.ReadAt(b[:], int64(at)); err != nil {
		return 0, fmt.Errorf("reading the program's memory: %w", err)
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// The states of goroutines, as the runtime has them.
const (
	goRunnable, goRunning, goSyscall, goWaiting, goPreempted = 1, 2, 3, 4, 9

	goScan         = 0x1000
	mostGoroutines = 20_000 // are looked at
)

// lookAtGoroutines looks at all goroutines once.
func (w *watcher) lookAtGoroutines() error {
	g := w.goroutines
	list, err := g.word(g.all)
	if err != nil {
		return err
	}
	n, err := g.word(g.all + 8)
	if err != nil {
		return err
	}
	if n > mostGoroutines {
		w.stood.Skipped = max(w.stood.Skipped, int64(n-mostGoroutines))
		n = mostGoroutines
	}
	pointers := make([]byte, n*8)
	if _, err := g.memory.ReadAt(pointers, int64(list)); err != nil {
		return fmt.Errorf("reading the program's memory: %w", err)
	}
	count := 0
	for i := range n {
		if w.addGoroutine(binary.LittleEndian.Uint64(pointers[i*8:])) {
			count++
		}
	}
	w.stood.Threads = max(w.stood.Threads, count)
	return nil
}

// addGoroutine counts where a goroutine stands; one that is dead is none.
func (w *watcher) addGoroutine(at uint64) bool {
	g := w.goroutines
	size := max(g.offset.status+4, g.offset.reason+1, g.offset.sched+g.offset.bp+8)
	head := make([]byte, size)
	if _, err := g.memory.ReadAt(head, int64(at)); err != nil {
		return false
	}
	status := binary.LittleEndian.Uint32(head[g.offset.status:]) &^ goScan
	var waits string
	switch status {
	case goWaiting, goPreempted:
		waits = g.reason(head[g.offset.reason])
	case goRunnable:
		waits = "a processor (runnable)"
	case goRunning:
		waits = "runs: a profile of cpu tells where"
		w.stood.Profile.Add([]profiling.Frame{{Function: "(running)"}}, map[string]string{profiling.WaitsLabel: waits}, 1)
		return true
	case goSyscall:
		waits = "a system call"
	default:
		return false
	}
	field := func(at int64) uint64 { return binary.LittleEndian.Uint64(head[g.offset.sched+at:]) }
	frames, whole := g.stack(field(g.offset.pc), field(g.offset.bp))
	if root := len(frames) - 1; root >= 0 && strings.HasPrefix(frames[root].Function, "runtime.") && frames[root].Function != "runtime.main" {
		return false // the runtime's own
	}
	if !whole {
		w.stood.Partial++
	}
	w.stood.Profile.Add(frames, map[string]string{profiling.WaitsLabel: waits}, 1)
	return true
}

// stack follows the frame pointers of a goroutine that is parked.
func (g *goroutines) stack(pc, bp uint64) (frames []profiling.Frame, whole bool) {
	for depth := 0; depth < deepest && pc != 0; depth++ {
		address := pc - g.bias
		if depth > 0 {
			address--
		}
		calls, known := g.calls[address]
		if !known {
			calls = g.image.Calls(address)
			g.calls[address] = calls
		}
		if len(calls) == 0 {
			return frames, false
		}
		for _, c := range calls {
			if c.Function == "runtime.goexit" && len(frames) > 0 {
				return frames, true
			}
			frames = append(frames, profiling.Frame{Function: c.Function, File: c.File, Line: c.Line})
		}
		if bp == 0 {
			return frames, true
		}
		var err error
		if pc, err = g.word(bp + 8); err != nil {
			return frames, false
		}
		next, err := g.word(bp)
		if err != nil || next != 0 && next <= bp {
			return frames, err == nil
		}
		bp = next
	}
	return frames, true
}

// reason is the runtime's own text of what a goroutine waits for.
func (g *goroutines) reason(number byte) string {
	if text, known := g.texts[number]; known {
		return text
	}
	at := g.reasons + uint64(number)*16
	pointer, err := g.word(at)
	length, bad := g.word(at + 8)
	text := make([]byte, min(length, 100))
	if err == nil && bad == nil {
		_, err = g.memory.ReadAt(text, int64(pointer))
	}
	if err != nil || bad != nil || len(text) == 0 {
		return fmt.Sprintf("reason %d of Go's runtime", number)
	}
	g.texts[number] = string(text)
	return g.texts[number]
}
