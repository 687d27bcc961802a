//go:build ((linux || darwin) && (amd64 || arm64)) || (windows && amd64)

package serve

import (
	"fmt"
	"reflect"
	"time"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/gosrc"
	"aidb-mcp/adapters/delve/wire"
)

// locks are what somebody holds while another waits.
var locks = map[string]bool{"sync.Mutex": true, "sync.RWMutex": true}

// hold is a lock that a frame has taken and not given back, by its source.
type hold struct {
	by    *parked
	read  bool
	taken wire.Location
}

// notByLine says why nobody is named who holds a lock: Go's own do not keep it.
const notByLine = "no goroutine stands between a line that locks it and the one that unlocks it"

// findHolders finds who holds the locks that are waited for. Go keeps no owner: a goroutine
// holds one if it stands in a function after the line that locks it, and before any that unlocks it, and the
// expression of that line has the lock's address in its frame.
func (w *waiting) findHolders(rows []wire.Waiter) {
	of := map[string]*parked{}
	wanted := map[uint64]bool{}
	for _, p := range w.all {
		of[p.key()] = p
		if locks[p.kind] && p.address != 0 {
			wanted[p.address] = true
		}
	}
	holds := w.holds(wanted)
	for i := range rows {
		p := of[rows[i].Key]
		switch {
		case p.kind == "sync.Once" && p.address != 0:
			w.setRunner(&rows[i], p)
		case locks[p.kind] && p.address == 0:
			rows[i].Unknown = "which lock it is cannot be read in this build"
		case locks[p.kind]:
			w.setHolders(&rows[i], p, holds[p.address])
		}
	}
}

// holds are the locks that goroutines are seen to hold, by their addresses.
func (w *waiting) holds(wanted map[uint64]bool) map[uint64][]hold {
	found := map[uint64][]hold{}
	if len(wanted) == 0 {
		return found
	}
	end := time.Now().Add(holdersTime)
	for n, p := range w.all {
		if time.Now().After(end) {
			w.notes = append(w.notes, fmt.Sprintf("who holds locks was looked for in %d of %d goroutines only", n, len(w.all)))
			break
		}
		if p.user < 0 {
			continue
		}
		given := w.released(p)
		for i := p.user; i < len(p.frames); i++ {
			call := &p.frames[i].Call
			if call.Fn == nil || gosrc.Library(call.Fn.Name, call.File) {
				continue
			}
			src := w.files.open(call.File, w.paths.client(call.File))
			if src == nil {
				continue
			}
			for _, t := range src.heldAt(call.Line) {
				scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
				if at := lockAddress(scope, t.expr); wanted[at] && !given[at] {
					taken := w.locationOf(call)
					taken.Line = t.line
					found[at] = append(found[at], hold{by: p, read: t.read, taken: taken})
				}
			}
			for _, expr := range src.givenBack(call.Line) {
				scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
				given[lockAddress(scope, expr)] = true // what called it has it no more
			}
		}
	}
	return found
}

// released is the lock that a goroutine has given back while it waits on a condition.
func (w *waiting) released(p *parked) map[uint64]bool {
	given := map[uint64]bool{}
	for i := range p.frames {
		if fn := p.frames[i].Call.Fn; fn != nil && fn.Name == "sync.(*Cond).Wait" {
			scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
			given[lockAddress(scope, "c.L")] = true
		}
	}
	return given
}

// setHolders names those that a goroutine waits for before it gets a lock.
func (w *waiting) setHolders(row *wire.Waiter, p *parked, holds []hold) {
	var writers []hold
	for _, h := range holds {
		switch {
		case p.pending && h.read, p.pending && h.by == p:
			row.Holders = append(row.Holders, w.holder(h))
		case !h.read:
			writers = append(writers, h)
		}
	}
	if p.pending {
		w.setReaders(row, p)
		return
	}
	if len(writers) == 1 {
		row.Holders = append(row.Holders, w.holder(writers[0]))
		return
	}
	if len(writers) > 1 {
		row.Unknown = "several goroutines stand after a line that locks it"
		return
	}
	for _, o := range w.all {
		if o != p && o.pending && o.address == p.address {
			h := wire.Holder{Key: o.key(), Who: o.who(), Does: "waits to write"}
			if o.user >= 0 {
				h.Stands = w.locationOf(&o.frames[o.user].Call)
			}
			row.Holders = append(row.Holders, h)
			return
		}
	}
	row.Unknown = notByLine
}

// setReaders says of one that waits to write how many still read, as far as they are known.
func (w *waiting) setReaders(row *wire.Waiter, p *parked) {
	for i := range p.frames {
		if fn := p.frames[i].Call.Fn; fn == nil || fn.Name != "sync.(*RWMutex).Lock" {
			continue
		}
		scope := proc.FrameToScope(w.Target, w.Memory(), p.g, 0, p.frames[i:]...)
		if n, known := number(scope, "rw.readerWait.v"); known && n > 0 {
			row.On += fmt.Sprintf(", %d still read", n)
		}
	}
	if len(row.Holders) == 0 {
		row.Unknown = "readers, of whom " + notByLine
	}
}

func (w *waiting) holder(h hold) wire.Holder {
	told := wire.Holder{Key: h.by.key(), Who: h.by.who(), Taken: h.taken}
	if h.by.user >= 0 {
		told.Stands = w.locationOf(&h.by.frames[h.by.user].Call)
	}
	return told
}

// setRunner names the goroutine that runs the function of a sync.Once.
func (w *waiting) setRunner(row *wire.Waiter, p *parked) {
	for _, o := range w.all {
		for i := 1; i < len(o.frames); i++ {
			fn, above := o.frames[i].Call.Fn, o.frames[i-1].Call.Fn
			if fn == nil || above == nil || fn.Name != "sync.(*Once).doSlow" || above.Name == "sync.(*Mutex).Lock" {
				continue
			}
			scope := proc.FrameToScope(w.Target, w.Memory(), o.g, 0, o.frames[i:]...)
			if pointer(scope, "o") != p.address {
				continue
			}
			h := wire.Holder{Key: o.key(), Who: o.who(), Does: "runs its function"}
			if o.user >= 0 {
				h.Stands = w.locationOf(&o.frames[o.user].Call)
			}
			if caller := userFrame(o.frames[i:]); caller >= 0 {
				h.Taken = w.locationOf(&o.frames[i+caller].Call)
			}
			row.Holders = []wire.Holder{h}
			return
		}
	}
	row.Unknown = "no goroutine is seen in its function"
}

// lockAddress is where the mutex of an expression lies in a frame: its own, or that of what it points to
// or embeds; 0 where it is none.
func lockAddress(scope *proc.EvalScope, expr string) uint64 {
	v, err := scope.EvalExpression(expr, shallow)
	if err != nil || v.Unreadable != nil {
		return 0
	}
	if v.Kind == reflect.Interface {
		if v, err = scope.EvalExpression("("+expr+").(data)", shallow); err != nil || v.Unreadable != nil {
			return 0
		}
	}
	switch v.TypeString() {
	case "sync.Mutex", "sync.RWMutex":
		return v.Addr
	case "*sync.Mutex", "*sync.RWMutex":
		if len(v.Children) > 0 {
			return v.Children[0].Addr
		}
		return 0
	}
	for _, embedded := range []string{"Mutex", "RWMutex"} {
		inner, err := scope.EvalExpression("("+expr+")."+embedded, shallow)
		if err == nil && inner.Unreadable == nil && inner.TypeString() == "sync."+embedded {
			return inner.Addr
		}
	}
	return 0
}
