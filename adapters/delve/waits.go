package delve

import (
	godap "github.com/google/go-dap"
)

// waits names what a goroutine waits for by the function that parks it.
var waits = map[string]string{
	"runtime.chanrecv":       "chan receive",
	"runtime.chansend":       "chan send",
	"runtime.selectgo":       "select",
	"runtime.block":          "select (no cases)",
	"runtime.netpollblock":   "IO wait",
	"time.Sleep":             "sleep",
	"sync.(*Mutex).Lock":     "sync.Mutex.Lock",
	"sync.(*RWMutex).Lock":   "sync.RWMutex.Lock",
	"sync.(*RWMutex).RLock":  "sync.RWMutex.RLock",
	"sync.(*WaitGroup).Wait": "sync.WaitGroup.Wait",
	"sync.(*Cond).Wait":      "sync.Cond.Wait",
	"sync.(*Once).Do":        "sync.Once.Do",
	"syscall.Syscall":        "syscall",
	"syscall.Syscall6":       "syscall",
	"runtime.semacquire1":    "semacquire",
}

// Wait reads the reason off the library frames above the user's code; the one
// nearest to the user says it best.
func (d *dialect) Wait(frames []godap.StackFrame) string {
	reason := ""
	for _, f := range frames {
		if !d.Internal(f) {
			break
		}
		if r, ok := waits[f.Name]; ok && (reason == "" || reason == "semacquire") || r == "sync.RWMutex.Lock" {
			reason = r
		}
	}
	return reason
}
