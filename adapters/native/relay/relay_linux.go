package relay

import (
	"io"
	"strconv"
	"strings"
)

// relay is the state between the two, owned by one goroutine.
type relay struct {
	client, server         io.Writer
	fromClient, fromServer <-chan packet

	program  program
	isHeld   bool // the program is traced
	isMoving bool // it has been let run, and no stop was told since
	awaited  int  // requests without an answer, but for those that let it run

	places map[string]bool   // breakpoints and watchpoints in the program: "0,55d0,1"
	hasTwo bool              // it has forked: what is taken out may have been taken out of the other
	saved  map[string]string // threads that LLDB has call functions, by the number of their saved registers
	saves  []string          // threads whose registers are about to be saved
}

// pass notes what LLDB asks for, and passes it on.
func (r *relay) pass(p packet) {
	switch data := string(p.data()); {
	case data == "":
	case p.resumes():
		r.isMoving = true
		if pid, ok := strings.CutPrefix(data, "vAttach;"); ok {
			r.attach(pid)
		}
	default:
		r.awaited++
		r.note(data)
	}
	_, _ = r.server.Write(p)
}

func (r *relay) attach(pid string) {
	if n, err := strconv.ParseInt(pid, 16, 32); err == nil {
		r.program, r.isHeld = look(int(n)), true
	}
}

// note keeps what a request puts into the program or takes out.
func (r *relay) note(data string) {
	switch {
	case strings.HasPrefix(data, "Z"):
		r.places[place(data)] = true
	case strings.HasPrefix(data, "z") && !r.hasTwo:
		delete(r.places, place(data))
	case strings.HasPrefix(data, "QSaveRegisterState"):
		_, thread, _ := strings.Cut(data, ";")
		r.saves = append(r.saves, thread)
	case strings.HasPrefix(data, "QRestoreRegisterState:"):
		id, _, _ := strings.Cut(strings.TrimPrefix(data, "QRestoreRegisterState:"), ";")
		delete(r.saved, id)
	}
}

// place is the type, the address and the size of a breakpoint, without its condition.
func place(data string) string {
	where, _, _ := strings.Cut(data[1:], ";")
	return where
}

// answer notes what the server answers.
func (r *relay) answer(p packet) {
	switch {
	case p[0] != '$', r.isMoving && p.isOutput():
	case p.isStop() && r.isMoving:
		r.isMoving = false
		r.isHeld = r.isHeld && !p.isEnd()
		r.hasTwo = r.hasTwo || strings.Contains(string(p.data()), "fork:")
	case r.isMoving && r.awaited == 0: // what was to let it run was refused
		r.isMoving = false
	case r.awaited > 0:
		r.awaited--
		if len(r.saves) > 0 && r.awaited == 0 {
			if _, err := strconv.Atoi(string(p.data())); err == nil {
				r.saved[string(p.data())] = r.saves[0]
			}
			r.saves = r.saves[1:]
		}
	}
}

// isOutput says that a packet is what the program has printed, if that runs: memory may
// begin with anything.
func (p packet) isOutput() bool { return p.says("O") && !p.says("OK") }

// isFarewell says that LLDB lets the program go, and not a child of it.
func (r *relay) isFarewell(p packet) bool {
	data := string(p.data())
	pid, named := strings.CutPrefix(data, "D;")
	if !named {
		return data == "D" || data == "D1"
	}
	n, err := strconv.ParseInt(pid, 16, 32)
	return err == nil && int(n) == r.program.pid
}
