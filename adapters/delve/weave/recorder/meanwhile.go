//go:build go1.22

package recorder

import (
	"sync"
	"sync/atomic"
)

// mostMeanwhile bounds the places of which it is kept what was put there while a statement
// waited for what it calls.
const mostMeanwhile = 10_000

// meanwhile are the values that were noted last of places, while a statement ran that looked at
// what its targets hold and then called something: that may have written to them.
var meanwhile struct {
	waiting atomic.Int64 // such statements; one that a panic has left is never done
	sync.Mutex
	writes int64
	last   map[string]putThere
	full   int64 // the number of the write for which there was no room
}

// putThere is a value and which write it was.
type putThere struct {
	number int64
	value  []byte
}

// WasAndCalls is Was for a statement that calls something before it writes.
func (f *Frame) WasAndCalls(targets ...interface{}) {
	if !on {
		return
	}
	f.Was(targets...)
	f.calls = true
	meanwhile.Lock()
	f.since = meanwhile.writes
	meanwhile.Unlock()
	meanwhile.waiting.Add(1)
}

// waited ends what WasAndCalls began, and says whether it did.
func (f *Frame) waited() bool {
	waited := f.calls
	if f.calls = false; waited {
		meanwhile.waiting.Add(-1)
	}
	return waited
}

// before is what a place holds that had held something else when a statement began.
func (f *Frame) before(place string, was []byte) []byte {
	meanwhile.Lock()
	defer meanwhile.Unlock()
	if last, is := meanwhile.last[place]; is && last.number > f.since {
		return last.value
	}
	if meanwhile.full > f.since {
		return []byte("{}")
	}
	return was
}

// putMeanwhile keeps what is put into a place, where a statement waits.
func putMeanwhile(place string, target interface{}) {
	if meanwhile.waiting.Load() == 0 || place == "" {
		return
	}
	value := appendOperand(nil, target)
	meanwhile.Lock()
	defer meanwhile.Unlock()
	meanwhile.writes++
	if meanwhile.last == nil {
		meanwhile.last = map[string]putThere{}
	}
	if _, is := meanwhile.last[place]; !is && len(meanwhile.last) >= mostMeanwhile {
		meanwhile.full = meanwhile.writes
		return
	}
	meanwhile.last[place] = putThere{meanwhile.writes, value}
}
