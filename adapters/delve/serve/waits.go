//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-delve/delve/pkg/goversion"
	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
)

const (
	// waitFrames of each goroutine are looked at, the library's among them.
	waitFrames = 48
	// holdersTime bounds the search for those who hold locks.
	holdersTime = 3 * time.Second
)

// waits tells which goroutines wait, what for, and who holds that.
func waits(t *target, _ struct{}) (wire.WaitsBody, error) {
	all, next, err := proc.GoroutinesInfo(t.Target, 0, maxGoroutines)
	if err != nil {
		return wire.WaitsBody{}, fmt.Errorf("reading the goroutines: %w", err)
	}
	w := waiting{
		digester: digester{target: t, version: goversion.ParseProducer(t.BinInfo().Producer()), objects: map[uint64]string{}},
		files:    sources{},
	}
	for _, g := range all {
		if g.Unreadable != nil || g.Status == deadExtra {
			continue
		}
		frames, err := proc.GoroutineStacktrace(t.Target, g, waitFrames, 0)
		if err != nil {
			continue // a stack that cannot be read says nothing
		}
		w.all = append(w.all, &parked{g: g, frames: frames, user: userFrame(frames)})
	}
	var body wire.WaitsBody
	for _, p := range w.all {
		if w.read(p) {
			body.Waiters = append(body.Waiters, w.waiter(p))
		}
	}
	w.findHolders(body.Waiters)
	body.Notes = w.notes
	if next > 0 {
		body.Notes = append(body.Notes, fmt.Sprintf("goroutines beyond the first %d were not looked at", maxGoroutines))
	}
	return body, nil
}

// waiting is the question under way.
type waiting struct {
	digester
	all   []*parked
	files sources
	notes []string
}

// parked is a goroutine, and what it waits on where it does.
type parked struct {
	g      *proc.G
	frames []proc.Stackframe
	user   int // the first frame of the user's code, -1 when there is none

	reason  string
	kind    string // of what it waits on: "sync.Mutex"
	write   bool   // of an RWMutex: it wants to write
	pending bool   // and has its turn: it waits for those that still read
	address uint64
	expr    string // in the user's line
}

func (p *parked) key() string { return "g" + strconv.FormatInt(p.g.ID, 10) }

func (p *parked) who() string { return fmt.Sprintf("goroutine %d", p.g.ID) }

// userFrame is the index of the first frame of the user's code, -1 when there is none.
func userFrame(frames []proc.Stackframe) int {
	for i := range frames {
		if call := &frames[i].Call; call.Fn != nil && !gosrc.Library(call.Fn.Name, call.File) {
			return i
		}
	}
	return -1
}

// read finds out whether a goroutine waits, and on what.
func (w *waiting) read(p *parked) bool {
	if p.reason = w.waitReason(p.g); p.reason == "" {
		return false
	}
	limit := p.user
	if limit < 0 {
		limit = len(p.frames)
	}
	for i := range p.frames[:limit] {
		fn := p.frames[i].Call.Fn
		if fn == nil {
			continue
		}
		b, known := blockerOf(fn.Name)
		if !known {
			continue
		}
		scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
		p.pending = fn.Name == "sync.(*RWMutex).Lock" && p.kind != "sync.Mutex"
		p.kind, p.write = b.kind, fn.Name == "sync.(*RWMutex).Lock"
		if at := pointer(scope, b.argument); at != 0 {
			p.address = at
			w.describe(scope, b.kind, b.argument, at)
		}
	}
	return true
}

// blockerOf is a function that parks a goroutine, with what it waits on.
func blockerOf(name string) (b blocker, known bool) {
	if name == "os.(*Process).Wait" {
		return blocker{"p", "process"}, true
	}
	found, known := blockers[name]
	return blocker(found), known
}

type blocker struct{ argument, kind string }

func isBlocker(name string) bool {
	_, known := blockerOf(name)
	return known
}

// waiter is the row of a goroutine that waits.
func (w *waiting) waiter(p *parked) wire.Waiter {
	row := wire.Waiter{Key: p.key(), Who: p.who(), Thread: int(p.g.ID), System: p.g.System(w.Target), For: w.word(p)}
	if p.g.GoPC != 0 {
		// Who called a library to make it, as sync's WaitGroup.Go, is not kept.
		if loc := p.g.Go(); loc.Fn != nil && loc.File != "" && (p.user < 0 || !gosrc.Library(loc.Fn.Name, loc.File)) {
			row.Made = w.locationOf(&loc)
		}
	}
	if p.user < 0 {
		return row
	}
	call := &p.frames[p.user].Call
	row.At = w.locationOf(call)
	scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[p.user:]...)
	p.expr = w.expression(scope, p, w.files.open(call.File, w.paths.client(call.File)), call.Line)
	if p.address == 0 && p.expr != "" && locks[p.kind] {
		p.address = lockAddress(scope, p.expr)
	}
	if p.expr != "" {
		row.For += joint(row.For) + p.expr
	}
	if in := w.through(p); in != "" {
		row.For += " in " + in
	}
	if on := w.objects[p.address]; on != "" {
		row.On = on + w.count(p)
	}
	return row
}

// joint is the word between what is done and to what.
func joint(what string) string {
	switch what {
	case "chan receive", "chan receive (nil chan)":
		return " from "
	case "chan send", "chan send (nil chan)":
		return " to "
	}
	return " of "
}

// word says what a goroutine waits for: the runtime's word, or where that is a semaphore's the name
// of what waits by it.
func (w *waiting) word(p *parked) string {
	names := map[string]string{
		"sync.Mutex": "sync.Mutex.Lock", "sync.WaitGroup": "sync.WaitGroup.Wait", "sync.Cond": "sync.Cond.Wait", "sync.Once": "sync.Once.Do", "sync.RWMutex": "sync.RWMutex.RLock",
		"process": "the end of a child process",
	}
	if p.write {
		return "sync.RWMutex.Lock"
	}
	if name := names[p.kind]; name != "" {
		return name
	}
	return p.reason
}

// through is the library function that the user's code called, where that is not the wait itself.
func (w *waiting) through(p *parked) string {
	if p.user < 1 {
		return ""
	}
	fn := p.frames[p.user-1].Call.Fn
	if fn == nil || gosrc.Runtime(fn.Name) || isBlocker(fn.Name) || strings.HasPrefix(fn.Name, "sync.") || fn.Name == "time.Sleep" {
		return ""
	}
	return shortName(fn)
}

// count is how many a wait group waits for, and the number of a child process.
func (w *waiting) count(p *parked) string {
	for i := range p.frames {
		fn := p.frames[i].Call.Fn
		if fn == nil {
			continue
		}
		if b, _ := blockerOf(fn.Name); b.kind != p.kind {
			continue
		}
		scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
		switch p.kind {
		case "sync.WaitGroup":
			if state, known := number(scope, "wg.state.v"); known {
				return fmt.Sprintf(", counter %d", state>>32)
			}
		case "process":
			if pid, known := number(scope, "p.Pid"); known {
				return fmt.Sprintf(", pid %d", pid)
			}
		}
	}
	return ""
}

func (w *waiting) locationOf(loc *proc.Location) wire.Location {
	f := w.frameOf(loc)
	return wire.Location{File: f.File, Line: f.Line, Function: f.Function}
}
