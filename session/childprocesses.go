package session

import (
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
)

// childProcesses are the processes beside the program that it has started, as far as
// they were seen: there is no asking for those that came and went between two
// looks. Guarded by the session's mu.
type childProcesses struct {
	seen []process.Other
	left []process.Other // those that outlived the program

	unknown bool // which process the program is was looked for at a stop, and not found
}

// maxOthers bounds how many processes are remembered, and namedOthers how many
// are named in one sentence.
const (
	maxOthers   = 100
	namedOthers = 5
)

// updateProcesses notes which processes the program has started by now.
func (l *run) updateProcesses() {
	pid := l.programPID()
	if pid == 0 {
		return
	}
	now := process.Children(pid)
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	for _, o := range now {
		if len(l.others.seen) < maxOthers && !slices.ContainsFunc(l.others.seen, func(x process.Other) bool { return x.PID == o.PID }) {
			l.others.seen = append(l.others.seen, o)
		}
	}
}

// updateProcesses is that of a session whose program lives, beside what else is asked
// for a view: a program of many threads has many files to read. The channel is
// closed when it is done.
func (s *Session) updateProcesses() <-chan struct{} {
	done := make(chan struct{})
	s.mu.Lock()
	l, status := s.run, s.now.Status
	s.mu.Unlock()
	if status != Running && !status.Stopped() {
		close(done)
		return done
	}
	l.spawn("looking for the processes that the program has started", func() {
		defer close(done)
		l.updateProcesses()
	})
	return done
}

// endingText names the processes that end together with the program, for a program that
// is about to be ended on request.
func (l *run) endingText() string {
	if l.plan == nil || l.plan.Detach {
		return ""
	}
	l.findSurvivors()
	var children []process.Other
	if pid := l.programPID(); pid != 0 {
		children = process.Children(pid)
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	all := slices.Concat(l.others.left, l.undebugged(children))
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s that the program had started ended with it: %s", processes(len(all)), l.processList(all))
}

// programPID is the program's process on this machine, 0 when there is none or
// it is not known.
func (l *run) programPID() int {
	l.s.mu.Lock()
	pid, streams := l.knownPID(), (*adapters.Streams)(nil)
	if l.plan != nil && !l.others.unknown {
		streams = l.plan.Streams
	}
	l.s.mu.Unlock()
	if pid != 0 || streams == nil || streams.Stdout == nil {
		return pid
	}
	pid = process.WriterOf(streams.Stdout) // the adapter does not tell
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.s.run == l && l.s.pid == 0 {
		l.s.pid = pid
		l.others.unknown = pid == 0 && l.s.now.Status.Stopped()
	}
	return pid
}

// ProgramPID is the program's process, found out where the adapter does not tell it; 0
// where nobody knows.
func (s *Session) ProgramPID() int {
	s.mu.Lock()
	l := s.run
	s.mu.Unlock()
	if l == nil {
		return 0
	}
	return l.programPID()
}

// knownPID is the program's process as far as it was told; mu is held.
func (l *run) knownPID() int {
	switch {
	case l.plan == nil || l.plan.Mode == adapters.RemoteAttach || l.plan.Mode == adapters.Core:
		return 0
	case len(l.programs) > 0:
		return l.programs[0].Pid()
	case l.s.pid != 0:
		return l.s.pid
	}
	return l.s.request.Program.PID
}

// findSurvivors looks, before they are killed, for processes that have outlived the
// program.
func (l *run) findSurvivors() {
	if l.plan == nil || l.plan.Detach {
		return
	}
	l.s.mu.Lock()
	programs := slices.Clone(l.programs)
	l.s.mu.Unlock()
	var left []process.Other
	if l.peer != nil && l.peer.Orphans != nil {
		left = l.peer.Orphans()
	}
	for _, child := range programs {
		select {
		case <-child.Done():
			left = append(left, child.Left()...)
		default:
			left = append(left, child.Orphans()...)
		}
	}
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	l.others.left = l.undebugged(left)
}

// undebugged are those of some processes that the program has started and no
// connection debugs; mu is held.
func (l *run) undebugged(list []process.Other) []process.Other {
	helper := ""
	if l.plan != nil { // it may have ended before there was one
		helper = l.plan.Capabilities.Start.Helper
	}
	return slices.DeleteFunc(slices.Clone(list), func(o process.Other) bool {
		if helper != "" && strings.Contains(o.Command, helper) {
			return true
		}
		return slices.ContainsFunc(l.connections, func(k *connection) bool { return k.pid == o.PID })
	})
}

// childProcessWarnings says once what became of the processes that the program has
// started: of those that outlived it, and, where a breakpoint was never hit, of
// those in which none can be; mu is held.
func (l *run) childProcessWarnings(neverHit bool) (said []string) {
	left := l.others.left
	if len(left) > 0 {
		said = append(said, fmt.Sprintf("%s that the program had started outlived it, and ended with the session: %s", processes(len(left)), l.processList(left)))
	}
	seen := slices.DeleteFunc(l.undebugged(l.others.seen), func(o process.Other) bool {
		return slices.ContainsFunc(left, func(x process.Other) bool { return x.PID == o.PID })
	})
	if neverHit && len(seen)+len(left) > 0 {
		all := slices.Concat(left, seen)
		said = append(said, fmt.Sprintf("no breakpoint is hit in a process that is not followed, and the program has started %s of that kind: %s", processes(len(all)), l.processList(all)))
	}
	if neverHit && len(said) == 0 {
		said = l.forkWarnings()
	}
	l.others = childProcesses{}
	return said
}

// forkWarnings says that a program has forked, where its children came and went between
// two looks at its processes.
func (l *run) forkWarnings() []string {
	if l.plan == nil || l.plan.Capabilities.End.Forks == nil {
		return nil
	}
	forks := l.plan.Capabilities.End.Forks()
	if forks == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the program has forked %s, which are not followed: no breakpoint is hit in a child", times(forks))}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// processList lists processes for people, by their command lines without secrets.
func (l *run) processList(list []process.Other) string {
	var names []string
	for _, o := range list[:min(len(list), namedOthers)] {
		o.Command = l.s.manager.mask.Command(o.Command)
		names = append(names, o.String())
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
