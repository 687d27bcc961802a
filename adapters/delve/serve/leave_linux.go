//go:build amd64 || arm64

package serve

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/go-delve/delve/pkg/proc"

	"aidb-mcp/adapters/delve/detach"
	"aidb-mcp/adapters/delve/wire"
)

// letGo lets the program go so that nothing of the debugger stays in it. Delve's own
// Detach leaves the signals that it halts a program with, and takes those away that the
// program was to get.
func (f *front) letGo() (seen wire.Left, left bool) {
	group := f.hold()
	if valid, _ := group.Valid(); !valid {
		return seen, false
	}
	var problems []error
	traps := map[int]map[uint64]bool{}
	for _, t := range group.Targets() {
		if valid, _ := t.Valid(); valid {
			var err error
			traps[t.Pid()], err = withdraw(t)
			problems = append(problems, err)
		}
	}
	finishCalls(group)
	for _, t := range group.Targets() {
		if valid, _ := t.Valid(); valid {
			problems = append(problems, f.free(t, traps[t.Pid()]))
		}
	}
	if err := errors.Join(problems...); err != nil {
		seen.Problem = err.Error()
	}
	now := detach.Look(f.pid, f.original)
	seen.Gone, seen.Traced, seen.Stopped, seen.Traps = now.Gone, now.Traced, now.Stopped, now.Traps
	return seen, true
}

// withdraw takes out the breakpoints, Delve's own too, and tells where they were.
func withdraw(t *proc.Target) (traps map[uint64]bool, err error) {
	traps = map[uint64]bool{}
	var problems []error
	for _, bp := range t.Breakpoints().M {
		if bp.WatchType == 0 {
			traps[bp.Addr] = true
		}
		problems = append(problems, t.ClearBreakpoint(bp.Addr))
	}
	problems = append(problems, restorePreemption(t))
	return traps, errors.Join(problems...)
}

// restorePreemption gives the runtime back the setting that Delve changes on some
// processors.
func restorePreemption(t *proc.Target) error {
	own := reflect.ValueOf(t).Elem()
	changed, before := own.FieldByName("asyncPreemptChanged"), own.FieldByName("asyncPreemptOff")
	if !changed.IsValid() || !before.IsValid() || !changed.Bool() {
		return nil
	}
	scope, err := proc.ThreadScope(t, t.CurrentThread())
	if err != nil {
		return err
	}
	return scope.SetVariable("runtime.debug.asyncpreemptoff", strconv.FormatInt(before.Int(), 10))
}

// free lets one process go.
func (f *front) free(t *proc.Target, traps map[uint64]bool) error {
	trace, err := tracing(t.Process)
	if err != nil {
		return err
	}
	p := &detach.Process{PID: t.Pid(), Trace: trace, Traps: traps, Settled: map[int]bool{}, Owed: map[int]int{}}
	if t.Pid() == f.pid {
		p.Original = f.original
	}
	for _, th := range t.ThreadList() {
		p.Settled[th.ThreadID()] = th.Breakpoint().Breakpoint != nil
		if signal := delayed(th); signal != 0 {
			p.Owed[th.ThreadID()] = signal
		}
	}
	return p.Free()
}

// tracing finds the thread from which Delve traces a process: what it gives to
// the function that is returned is done there. Delve has no door to it.
func tracing(p proc.Process) (trace func(func()), err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this Delve keeps its tracing thread elsewhere: %v", r)
		}
	}()
	thread := reflect.ValueOf(p).Elem().FieldByName("ptraceThread").Elem()
	work := hidden[chan func()](thread.FieldByName("ptraceChan"))
	done := hidden[chan any](thread.FieldByName("ptraceDoneChan"))
	return func(f func()) {
		work <- f
		<-done
	}, nil
}

// hidden reads a field that is not exported.
func hidden[T any](field reflect.Value) T {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface().(T)
}

// delayed is the signal of the program's own with which a thread has stopped as Delve
// halted it, and which it is to get when it goes on.
func delayed(th proc.Thread) int {
	system := reflect.ValueOf(th).Elem().FieldByName("os")
	if system.Kind() != reflect.Pointer || system.IsNil() {
		return 0
	}
	if signal := system.Elem().FieldByName("delayedSignal"); signal.IsValid() {
		return int(signal.Int())
	}
	return 0
}

// code is how the program's was before it was debugged.
type code = *detach.Text

// rememberCode notes the code of a program that is going to be attached to.
func (f *front) rememberCode(pid int) {
	f.original, _ = detach.ReadText(pid) // where it cannot be read it cannot be attached to
}

// wholly says that every thread is traced: one that was born while Delve attached may not be.
func wholly(pid int) bool { return !detach.Untraced(pid) && os.Getpid() != pid }
