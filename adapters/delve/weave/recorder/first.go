//go:build go1.22

package recorder

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"
)

// first is what is asked for of the moments at which a condition comes to hold.
var first struct {
	once   sync.Once
	left   atomic.Int64 // moments that are noted still
	counts *[3]atomic.Int64
	plain  *os.File    // where the counts do not lie in a file of their own: they are written now and then
	told   atomic.Bool // that a judgement failed

	values sync.Mutex
	last   map[int64][]byte // by goroutine: the value at its last judgement, where values are wanted
}

// Judging says that moments are looked for still, of so many.
func Judging(moments int64) bool {
	if !on {
		return false
	}
	first.once.Do(func() { countJudgements(moments) })
	return first.left.Load() > 0
}

// countJudgements makes the file in which judgements are counted.
func countJudgements(moments int64) {
	first.counts = new([3]atomic.Int64)
	if f, ok := open(filepath.Join(notes.dir, "judged"), 4096, true); ok && len(f.memory()) > 0 {
		first.counts = (*[3]atomic.Int64)(unsafe.Pointer(&f.memory()[0]))
		first.counts[2].Store(1) // the file is the count itself
	} else if ok {
		first.plain = f.plain
	}
	first.left.Store(moments)
}

// Judged is a call of a function in which a condition is judged.
type Judged struct {
	site  string // of the function
	ran   string // the site of the statement that has run
	held  bool
	begun bool     // it was judged before
	was   [][]byte // what was looked at then
}

// Judge begins a call.
func Judge(site string) *Judged { return &Judged{site: site} }

// Ran says which statement runs now.
func (j *Judged) Ran(site string) { j.ran = site }

// Before judges in front of a statement, which is none behind the last of a block. Of the
// list, whose names are given as JSON, so many are looked at each time, the others at a
// moment only.
func (j *Judged) Before(seen string, when func() bool, names string, each int, list ...interface{}) {
	j.judge(0, seen, when, names, each, list)
}

// End judges where the call ends, from a function that is deferred.
func (j *Judged) End(when func() bool, names string, each int, list ...interface{}) {
	j.judge(1, "", when, names, each, list)
}

// Returned judges what the call has returned: nothing where it panics.
func (j *Judged) Returned(when func() bool, names string, each int, list ...interface{}) {
	if _, is := currentPanic(2); !is {
		j.judge(1, "", when, names, each, list)
	}
}

// judge judges; within is how many functions of ours lie around the call of this package.
func (j *Judged) judge(within int, seen string, when func() bool, names string, each int, list []interface{}) {
	holds, why := test(when)
	count := countJudgement()
	if why != nil {
		j.countFailed(why)
		return
	}
	if holds && (!j.begun || !j.held) && first.left.Add(-1) >= 0 {
		j.moment(within, seen, count, names, list)
	}
	j.begun, j.held = true, holds
	if !holds {
		j.remember(list[:each])
	}
}

// countJudgement counts a judgement.
func countJudgement() int64 {
	count := first.counts[0].Add(1)
	if first.plain != nil && count&(count-1) == 0 {
		writeCounts()
	}
	return count
}

// BeforeValue is Before where the value of the condition is wanted, which comes first in the list.
func (j *Judged) BeforeValue(seen string, names string, list ...interface{}) {
	j.value(0, seen, names, list)
}

// EndValue is End where the value is wanted.
func (j *Judged) EndValue(names string, list ...interface{}) { j.value(1, "", names, list) }

// ReturnedValue is Returned where the value is wanted.
func (j *Judged) ReturnedValue(names string, list ...interface{}) {
	if _, is := currentPanic(2); !is {
		j.value(1, "", names, list)
	}
}

// value notes the condition's value where it is not that of the judgement before in this
// goroutine.
func (j *Judged) value(within int, seen string, names string, list []interface{}) {
	now, count := appendOperand(nil, list[0]), countJudgement()
	if !becomes(now) {
		return
	}
	l := event("changed", j.ranAt())
	j.members(l, seen, count, names)
	l.b = append(append(l.b, `,"v":[`...), now...)
	for _, o := range list[1:] {
		l.b = append(l.b, ',')
		l.value(o, plain)
	}
	l.b = append(l.b, ']')
	l.callers(within+3, 5)
	l.end()
}

// becomes says that a value is not the last one of this goroutine, and keeps it as that.
func becomes(now []byte) bool {
	first.values.Lock()
	defer first.values.Unlock()
	if first.last == nil {
		first.last = map[int64][]byte{}
	}
	who := number()
	was, known := first.last[who]
	if known && bytes.Equal(was, now) {
		return false
	}
	first.last[who] = now
	return true
}

// writeCounts writes what was counted until now.
func writeCounts() {
	var b [24]byte
	binary.LittleEndian.PutUint64(b[:], uint64(first.counts[0].Load()))
	binary.LittleEndian.PutUint64(b[8:], uint64(first.counts[1].Load()))
	_, _ = first.plain.WriteAt(b[:], 0) // there is nobody to tell
}

// countFailed counts a judgement that has no value, and tells of the first one.
func (j *Judged) countFailed(why []byte) {
	first.counts[1].Add(1)
	if first.told.Swap(true) {
		return
	}
	l := event("remark", j.ranAt())
	l.member("m", append([]byte("the condition could not be judged each time: "), why...))
	l.end()
}

// ranAt is the site of what has run: at the beginning the function itself.
func (j *Judged) ranAt() string {
	if j.ran == "" {
		return j.site
	}
	return j.ran
}

// moment notes that the condition has come to hold.
func (j *Judged) moment(within int, seen string, count int64, names string, list []interface{}) {
	l := event("moment", j.ranAt())
	j.members(l, seen, count, names)
	l.values(list, plain)
	l.b = append(append(append(l.b, `,"b":[`...), bytes.Join(j.was, []byte{','})...), ']')
	l.callers(within+4, 5)
	l.end()
}

// members tell of a judgement, in front of what it was made, and which values follow.
func (j *Judged) members(l *line, seen string, count int64, names string) {
	l.number("h", count)
	if j.ran == "" {
		l.b = append(l.b, `,"m":"begun"`...)
	}
	l.member("y", []byte(seen))
	l.b = append(append(l.b, `,"a":`...), names...)
}

// remember keeps what was looked at.
func (j *Judged) remember(list []interface{}) {
	for len(j.was) < len(list) {
		j.was = append(j.was, nil)
	}
	j.was = j.was[:len(list)]
	for i, o := range list {
		j.was[i] = appendOperand(j.was[i][:0], o)
	}
}
