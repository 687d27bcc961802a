//go:build amd64 || arm64

package detach

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"

	"aidb-mcp/internal/system/mend"
)

// Process is a program that is to be let go. Its debugger has halted it, has taken its
// breakpoints out, and does nothing with it meanwhile.
type Process struct {
	PID   int
	Trace func(func()) // runs a function on the thread that traces; the system obeys no other

	Traps   map[uint64]bool // where breakpoints were
	Settled map[int]bool    // threads that the debugger has put back to the breakpoint that they hit
	Owed    map[int]int     // signals that threads were to get when they go on
	Before  mend.Sight      // how it was before it was debugged

	tracer    int // the id of that thread
	threads   map[int]*thread
	stopEnded bool
	continued bool // a SIGCONT of ours is on its way
}

// thread is one that stands.
type thread struct {
	id     int
	signal int // to be delivered when it goes on
}

// rounds bounds what is repeated until nothing is left to do.
const rounds = 1000

// Free lets every thread go on where it would be without the debugger.
func (p *Process) Free() (err error) {
	p.Trace(func() { err = p.release() })
	return err
}

func (p *Process) release() error {
	p.tracer, p.threads = unix.Gettid(), map[int]*thread{}
	for range rounds {
		if p.halt() == 0 { // nobody new
			break
		}
		p.endStop()
		p.swallow()
	}
	err := p.mend()
	for id, t := range p.threads {
		if e := detach(id, t.signal); e != nil && !errors.Is(e, unix.ESRCH) {
			err = errors.Join(err, fmt.Errorf("letting go of thread %d: %w", id, e))
		}
	}
	return err
}

// halt makes the threads stand that do not yet, those too of which the debugger has not
// heard. It returns how many are new.
func (p *Process) halt() (found int) {
	for _, id := range tasks(p.PID) {
		if p.threads[id] != nil {
			continue
		}
		state, err := readTask(p.PID, id)
		if err != nil || state.tracer != p.tracer || state.hasExited() {
			continue
		}
		t := &thread{id: id, signal: p.Owed[id]}
		options := unix.WNOHANG // a stop that nobody was told of yet
		if !state.isStopped() {
			if unix.Tgkill(p.PID, id, unix.SIGSTOP) != nil {
				continue
			}
			options = 0
		}
		p.threads[id] = t
		found++
		if stopped := p.await(t, options); !stopped && !p.Settled[id] {
			p.putBack(t)
		}
	}
	return found
}

// endStop ends a stop of the whole process that the debugger has brought about with a
// SIGSTOP of its own. It does not show as long as the process is traced, and would begin
// when it is let go.
func (p *Process) endStop() {
	if !p.stopEnded && !p.Before.IsStopped {
		p.stopEnded = true
		p.continued = unix.Kill(p.PID, unix.SIGCONT) == nil
	}
}

// swallow takes the traps and stops that are on their way. A thread that is made to go on
// takes the first of them before it does anything else.
func (p *Process) swallow() {
	for range rounds {
		if !p.swallowOwn() && !p.swallowShared() {
			return
		}
	}
}

func (p *Process) swallowOwn() (some bool) {
	for _, t := range p.threads {
		state, err := readTask(p.PID, t.id)
		if err != nil || state.hasExited() {
			delete(p.threads, t.id)
			continue
		}
		if state.pending.has(unix.SIGSTOP) || state.pending.has(unix.SIGTRAP) && !state.blocked.has(unix.SIGTRAP) {
			p.goOn(t)
			some = true
		}
	}
	return some
}

// swallowShared takes what was sent to the process as a whole: Delve halts it with a
// SIGTRAP, and it may have stopped for another reason before that came.
func (p *Process) swallowShared() bool {
	var chosen *thread
	for _, t := range p.threads {
		state, err := readTask(p.PID, t.id)
		if err != nil || state.hasExited() {
			continue
		}
		trap := state.shared.has(unix.SIGTRAP) && !state.blocked.has(unix.SIGTRAP)
		more := p.continued && state.shared.has(unix.SIGCONT) && !state.blocked.has(unix.SIGCONT)
		if (trap || more) && (chosen == nil || chosen.signal != 0) {
			chosen = t
		}
	}
	if chosen == nil {
		return false
	}
	p.goOn(chosen)
	return true
}

// goOn lets a thread run into what waits for it.
func (p *Process) goOn(t *thread) {
	signal := t.signal
	t.signal = 0
	if err := unix.PtraceCont(t.id, signal); err != nil {
		delete(p.threads, t.id)
		return
	}
	p.await(t, 0)
}

// await takes note of a thread's stop.
func (p *Process) await(t *thread, options int) (stopped bool) {
	var status unix.WaitStatus
	for {
		id, err := unix.Wait4(t.id, &status, unix.WALL|options, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || id == t.id && (status.Exited() || status.Signaled()):
			delete(p.threads, t.id)
			return true
		case id != t.id:
			return false
		}
		p.note(t, status)
		return true
	}
}

// note decides what becomes of the signal with which a thread has stopped.
func (p *Process) note(t *thread, status unix.WaitStatus) {
	signal := status.StopSignal()
	p.putBack(t)
	switch {
	case status>>16 != 0: // an event of ptrace's
	case signal == unix.SIGTRAP || signal == unix.SIGSTOP:
	case signal == unix.SIGCONT && p.continued:
		p.continued = false
	default:
		t.signal = int(signal)
	}
}

// putBack makes a thread that has hit a breakpoint do what stood there.
func (p *Process) putBack(t *thread) {
	info, err := signalInfo(t.id)
	if err != nil || trapMoves == 0 || info.Signo != int32(unix.SIGTRAP) || info.Code != fromKernel {
		return
	}
	var registers syscall.PtraceRegs
	if syscall.PtraceGetRegs(t.id, &registers) != nil || !p.Traps[registers.PC()-trapMoves] {
		return
	}
	registers.SetPC(registers.PC() - trapMoves)
	_ = syscall.PtraceSetRegs(t.id, &registers)
}

// mend puts the code back where breakpoints are left in it.
func (p *Process) mend() error {
	now, err := mend.Look(p.PID)
	for _, trap := range now.Since(p.Before) {
		err = errors.Join(err, p.poke(trap))
	}
	return err
}

func (p *Process) poke(trap mend.Trap) (err error) {
	for id := range p.threads { // any of them; one may have been killed
		if _, err = unix.PtracePokeText(id, uintptr(trap.Address), trap.Original()); err == nil {
			return nil
		}
	}
	return fmt.Errorf("mending the code at %#x: %w", trap.Address, err)
}
