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
	"aidb-mcp/internal/system/mend"
)

// detach lets the program go so that nothing of the debugger stays in it. Delve's own
// Detach leaves the signals that it halts a program with, and takes those away that the
// program was to get.
func (f *front) detach() (left bool, err error) {
	group, _ := f.hold() // for good
	if valid, _ := group.Valid(); !valid {
		return false, nil
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
			problems = append(problems, f.releaseTarget(t, traps[t.Pid()]))
		}
	}
	problems = append(problems, f.look())
	return true, errors.Join(problems...)
}

// look says what is not with the program as it was before it was debugged.
func (f *front) look() error {
	now, err := mend.Look(f.pid)
	switch {
	case err != nil:
		return err
	case !now.IsAlive:
		return errors.New("the program ended while it was let go")
	case now.Tracer != 0:
		return fmt.Errorf("the program is still traced by process %d", now.Tracer)
	case now.IsStopped && !f.before.IsStopped:
		return errors.New("the program stands still")
	case len(now.Since(f.before)) > 0:
		return errors.New("there are breakpoints left in the program's code")
	}
	return nil
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

// releaseTarget lets one process go.
func (f *front) releaseTarget(t *proc.Target, traps map[uint64]bool) error {
	trace, err := traceThread(t.Process)
	if err != nil {
		return err
	}
	p := &detach.Process{PID: t.Pid(), Trace: trace, Traps: traps, Settled: map[int]bool{}, Owed: map[int]int{}}
	if t.Pid() == f.pid {
		p.Before = f.before
	}
	for _, th := range t.ThreadList() {
		p.Settled[th.ThreadID()] = th.Breakpoint().Breakpoint != nil
		if signal := pendingSignal(th); signal != 0 {
			p.Owed[th.ThreadID()] = signal
		}
	}
	return p.Free()
}

// traceThread finds the thread from which Delve traces a process: what it gives to
// the function that is returned is done there. Delve has no door to it.
func traceThread(p proc.Process) (trace func(func()), err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this Delve keeps its tracing thread elsewhere: %v", r)
		}
	}()
	thread := reflect.ValueOf(p).Elem().FieldByName("ptraceThread").Elem()
	work := unexportedField[chan func()](thread.FieldByName("ptraceChan"))
	done := unexportedField[chan any](thread.FieldByName("ptraceDoneChan"))
	return func(f func()) {
		work <- f
		<-done
	}, nil
}

// unexportedField reads a field that is not exported.
func unexportedField[T any](field reflect.Value) T {
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem().Interface().(T)
}

// pendingSignal is the signal of the program's own with which a thread has stopped as Delve
// halted it, and which it is to get when it goes on.
func pendingSignal(th proc.Thread) int {
	system := reflect.ValueOf(th).Elem().FieldByName("os")
	if system.Kind() != reflect.Pointer || system.IsNil() {
		return 0
	}
	if signal := system.Elem().FieldByName("delayedSignal"); signal.IsValid() {
		return int(signal.Int())
	}
	return 0
}

// wholly says that every thread is traced: one that was born while Delve attached may not be.
func wholly(pid int) bool { return !detach.Untraced(pid) && os.Getpid() != pid }
