//go:build amd64 || arm64

package serve

import (
	"bytes"
	"reflect"
	"strings"
	"time"

	"github.com/go-delve/delve/pkg/proc"
)

// callLimit is how long a function that an expression has called may go on in a program
// that is going to be left.
const callLimit = 500 * time.Millisecond

// finishCalls lets the functions return that expressions have called. The runtime speaks
// with the debugger by traps when they do, so a program that is left before would end.
// What does not return in time goes on, and returns without a trap.
func finishCalls(group *proc.TargetGroup) {
	if countUnfinished(group) == 0 {
		return
	}
	over := make(chan struct{})
	halted := make(chan struct{})
	go func() {
		defer close(halted)
		haltAfter(group, callLimit, over)
	}()
	limit := time.Now().Add(callLimit)
	for countUnfinished(group) > 0 && time.Now().Before(limit) {
		if err := group.Continue(); err != nil {
			break
		}
	}
	close(over)
	<-halted
	if valid, _ := group.Valid(); valid && countUnfinished(group) > 0 {
		for _, t := range group.Targets() {
			disarmCalls(t)
		}
	}
}

// haltAfter halts the program, again and again, until it is over.
func haltAfter(group *proc.TargetGroup, limit time.Duration, over <-chan struct{}) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-over:
			return
		case <-timer.C:
			_ = group.RequestManualStop()
			timer.Reset(haltAgain)
		}
	}
}

// countUnfinished counts the calls that have not returned.
func countUnfinished(group *proc.TargetGroup) (n int) {
	for _, t := range group.Targets() {
		if calls := reflect.ValueOf(t).Elem().FieldByName("fncallForG"); calls.IsValid() {
			n += calls.Len()
		}
	}
	return n
}

// question is how the runtime speaks with a debugger: a number in R12, and a trap.
var (
	question = []byte{0x49, 0xc7, 0xc4}
	asks     = []byte{0x00, 0x00, 0x00, 0xcc}
	noWork   = []byte{0x90}
)

// disarmCalls takes the traps out of the functions of the runtime that only debuggers
// use: it puts the registers back itself.
func disarmCalls(t *proc.Target) {
	if t.BinInfo().Arch.Name != "amd64" {
		return
	}
	for i := range t.BinInfo().Functions {
		fn := &t.BinInfo().Functions[i]
		if !strings.HasPrefix(strings.TrimPrefix(fn.Name, "runtime."), "debugCall") { // some are local to their file, and have no package
			continue
		}
		code := make([]byte, fn.End-fn.Entry)
		if n, err := t.Memory().ReadMemory(code, fn.Entry); err != nil || n != len(code) {
			continue
		}
		for at := range code {
			rest := code[at:]
			if bytes.HasPrefix(rest, question) && len(rest) >= 8 && bytes.Equal(rest[4:8], asks) {
				_, _ = t.Memory().WriteMemory(fn.Entry+uint64(at)+7, noWork)
			}
		}
	}
}
