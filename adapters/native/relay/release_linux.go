package relay

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"time"
)

// releaseLimit is how long the program may take to stop and its server to answer.
const releaseLimit = 1500 * time.Millisecond

var (
	errLate = errors.New("the program could not be stopped in time")
	errGone = errors.New("the debugger's server has ended")
)

// release stops all threads, takes everything out and lets the program go. With last it
// is LLDB's own request that does so at the end, and its answer is LLDB's.
func (r *relay) release(last packet) error {
	if !r.isHeld {
		if last != nil {
			r.pass(last)
		}
		return nil
	}
	late := time.After(releaseLimit)
	if err := r.haltProgram(late); err != nil || !r.isHeld {
		return err
	}
	for id, thread := range r.saved { // registers of threads that LLDB has call functions
		if _, err := r.ask(fmt.Sprintf("QRestoreRegisterState:%s;%s", id, thread), late); err != nil {
			return err
		}
	}
	for where := range r.places {
		if _, err := r.ask("z"+where, late); err != nil {
			return err
		}
	}
	r.program.dropStops()
	r.isHeld = false
	if last != nil {
		r.pass(last)
		return nil
	}
	answer, err := r.ask(fmt.Sprintf("D;%x", r.program.pid), late)
	if err == nil && !answer.says("OK") {
		err = fmt.Errorf("the debugger's server refuses to let go: %s", answer.data())
	}
	return err
}

// haltProgram waits for what is under way, and stops the program. A stop that is told
// meanwhile is as good as ours.
func (r *relay) haltProgram(late <-chan time.Time) error {
	if r.isMoving {
		_, _ = r.server.Write(packet{interrupt})
	}
	for r.isMoving || r.awaited > 0 {
		p, err := r.next(late)
		if err != nil {
			return err
		}
		r.answer(p)
	}
	return nil
}

// ask puts a request of our own. A stop may be told in between: that of an interrupt that
// found the program standing.
func (r *relay) ask(data string, late <-chan time.Time) (packet, error) {
	if _, err := r.server.Write(newPacket(data)); err != nil {
		return nil, fmt.Errorf("asking the debugger's server: %w", err)
	}
	for {
		p, err := r.next(late)
		if err != nil {
			return nil, err
		}
		if p.isEnd() {
			return nil, errGone
		}
		if p[0] == '$' && !p.isStop() {
			return p, nil
		}
	}
}

func (r *relay) next(late <-chan time.Time) (packet, error) {
	select {
	case p, ok := <-r.fromServer:
		if !ok {
			return nil, errGone
		}
		return p, nil
	case <-late:
		return nil, errLate
	}
}

// serve passes packets on until one of the two ends, or the program is to be let go.
func (r *relay) serve(asked <-chan net.Conn, gone <-chan struct{}) {
	for {
		select {
		case p, ok := <-r.fromClient:
			switch {
			case !ok:
				_ = r.release(nil) // nobody is there to be told; who looks sees how the program is
				return
			case r.isFarewell(p):
				if r.release(p) != nil {
					return
				}
			default:
				r.pass(p)
			}
		case p, ok := <-r.fromServer:
			if !ok {
				return
			}
			r.answer(p)
			_, _ = r.client.Write(p)
		case conn := <-asked:
			tell(conn, r.release(nil))
			return
		case <-gone:
			_ = r.release(nil)
			return
		}
	}
}

// tell has whoever asked hear what became of it.
func tell(conn net.Conn, err error) {
	defer conn.Close()
	if err != nil {
		fmt.Fprint(conn, err)
		return
	}
	fmt.Fprint(conn, released)
}

// awaitFirstExit waits for the end of one of the processes that the session stands on.
func awaitFirstExit(pids []int, gone chan<- struct{}) {
	pids = slices.DeleteFunc(pids, func(pid int) bool { return pid <= 1 })
	if len(pids) > 0 && awaitAny(pids) {
		close(gone)
	}
}
