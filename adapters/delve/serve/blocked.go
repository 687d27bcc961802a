//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"go/constant"
	"strings"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/internal/text/pattern"
)

// blockers are the functions that park a goroutine, with the argument that
// points to what it waits on.
var blockers = map[string]struct{ argument, kind string }{
	"runtime.chanrecv":         {"c", "chan"},
	"runtime.chansend":         {"c", "chan"},
	"sync.(*Mutex).Lock":       {"m", "sync.Mutex"},
	"sync.(*RWMutex).Lock":     {"rw", "sync.RWMutex"},
	"sync.(*RWMutex).RLock":    {"rw", "sync.RWMutex"},
	"sync.(*WaitGroup).Wait":   {"wg", "sync.WaitGroup"},
	"sync.(*Cond).Wait":        {"c", "sync.Cond"},
	"sync.(*Once).doSlow":      {"o", "sync.Once"},
	"internal/poll.(*FD).Read": {"fd", "file"},
}

// object says what a parked goroutine waits on: the blocking call nearest to
// the user's code, with the address of its subject.
func (d *digester) object(g *proc.G, frames []proc.Stackframe) string {
	found := ""
	for i := range frames {
		fn := frames[i].Call.Fn
		if fn == nil {
			continue
		}
		if !gosrc.Library(fn.Name, frames[i].Call.File) {
			break
		}
		b, ok := blockers[fn.Name]
		if !ok {
			continue
		}
		scope := proc.FrameToScope(d.Target, d.Memory(), g, 0, frames[i:]...)
		if address := pointer(scope, b.argument); address != 0 {
			found = d.describe(scope, b.kind, b.argument, address)
		}
	}
	return found
}

func (d *digester) describe(scope *proc.EvalScope, kind, argument string, address uint64) string {
	if known, ok := d.objects[address]; ok {
		return known
	}
	text := fmt.Sprintf("%s %#x", kind, address)
	if kind == "chan" {
		if size, ok := number(scope, argument+".dataqsiz"); ok && size == 0 {
			text += " (unbuffered)"
		} else if used, known := number(scope, argument+".qcount"); ok && known {
			text += fmt.Sprintf(" (%d of %d buffered)", used, size)
		}
	}
	d.objects[address] = text
	return text
}

// shallow reads a value without what it points to.
var shallow = proc.LoadConfig{}

// pointer evaluates to an address, 0 when it cannot.
func pointer(scope *proc.EvalScope, expr string) uint64 {
	v, err := scope.EvalExpression(expr, shallow)
	if err != nil || v.Unreadable != nil || len(v.Children) == 0 {
		return 0
	}
	return v.Children[0].Addr
}

func number(scope *proc.EvalScope, expr string) (uint64, bool) {
	v, err := scope.EvalExpression(expr, shallow)
	if err != nil || v.Unreadable != nil || v.Value == nil {
		return 0, false
	}
	return constant.Uint64Val(v.Value)
}

// endless says that only another goroutine can end a wait. What a timer's function does is
// not known, so only a mutex is surely none of its business; a goroutine that hears of
// signals shows itself as one that waits for the system.
func (d *digester) endless(waiting string) bool {
	mutex := strings.HasPrefix(waiting, "sync.Mutex") || strings.HasPrefix(waiting, "sync.RWMutex") || waiting == "select (no cases)"
	return mutex || d.timeless && between.MatchString(waiting)
}

// between are the runtime's words for waits between goroutines.
var between = pattern.New(`^(?:sync\.|semacquire|chan |select)`)

// hasNoTimers says that the runtime, of Go 1.23 or newer, waits for no time to come.
func (d *digester) hasNoTimers() bool {
	set, known := d.processors("timers.len.value")
	return known && set == 0
}

// scheduleCount is how often the runtime has given a processor to a goroutine; 0 when unknown.
func (d *digester) scheduleCount() uint64 {
	ticks, _ := d.processors("schedtick")
	return ticks
}

// processors is the sum of a number that the runtime keeps for each of its processors.
func (d *digester) processors(field string) (sum uint64, known bool) {
	scope, err := proc.ThreadScope(d.Target, d.CurrentThread())
	if err != nil {
		return 0, false
	}
	count, known := number(scope, "len(runtime.allp)")
	if !known {
		return 0, false
	}
	for i := range count {
		n, known := number(scope, fmt.Sprintf("runtime.allp[%d].%s", i, field))
		if !known {
			return 0, false
		}
		sum += n
	}
	return sum, true
}
