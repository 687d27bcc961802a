package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/process"
	"aidb-mcp/internal/system/sleep"
)

// childProcesses are the program's process and those beside it that it has started, as
// far as they were seen: there is no asking for those that came and went between two
// looks. The lock is its own.
type childProcesses struct {
	mu      sync.Mutex
	pid     int  // of the program, 0 when not known
	unknown bool // which that is was looked for at a stop, and not found
	waited  bool // it has waited for the end of some that it had started
	seen    []process.Other
	left    []process.Other // those that outlived the program
}

// program is the program's process, 0 when it is not known.
func (c *childProcesses) program() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pid
}

// setProgram takes the first process that was told for the program's.
func (c *childProcesses) setProgram(pid int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pid == 0 {
		c.pid = pid
	}
}

// setSought notes what was found when the program's process was looked for. Of a program
// that stands still nothing more will be found later.
func (c *childProcesses) setSought(pid int, stands bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pid == 0 {
		c.pid, c.unknown = pid, pid == 0 && stands
	}
}

// isUnknown says that there is no finding out which process the program is.
func (c *childProcesses) isUnknown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unknown
}

// see adds the processes that are there now, and whether some have ended before.
func (c *childProcesses) see(now []process.Other, waited bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waited = c.waited || waited
	for _, o := range now {
		if len(c.seen) < maxOthers && !slices.ContainsFunc(c.seen, func(x process.Other) bool { return x.PID == o.PID }) {
			c.seen = append(c.seen, o)
		}
	}
}

// setLeft notes those that have outlived the program. Who looks again finds none that have been
// ended since.
func (c *childProcesses) setLeft(left []process.Other) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(left) > 0 {
		c.left = left
	}
}

// outlived are those that have outlived the program.
func (c *childProcesses) outlived() []process.Other {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left
}

// take takes all of them, for what is said of them once.
func (c *childProcesses) take() (seen, left []process.Other) {
	c.mu.Lock()
	defer c.mu.Unlock()
	seen, left = c.seen, c.left
	c.seen, c.left = nil, nil
	return seen, left
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
	l.processes.see(process.Children(pid), process.HasWaited(pid))
}

// updateProcesses is that of a session whose program lives, beside what else is asked
// for a view: a program of many threads has many files to read. The channel is
// closed when it is done.
func (s *Session) updateProcesses() <-chan struct{} {
	done := make(chan struct{})
	l, status := s.currentRun(), s.status()
	if status != Running && !status.Stopped() {
		close(done)
		return done
	}
	// It owns nothing, and ends after one look.
	l.spawn("looking for the processes that the program has started", func() {
		defer close(done)
		l.updateProcesses()
	})
	return done
}

// endingText names the processes that end together with the program, for a program that
// is about to be ended on request.
func (l *run) endingText() string {
	if l.plan() == nil || l.plan().Detach {
		return ""
	}
	l.findSurvivors()
	var children []process.Other
	if pid := l.programPID(); pid != 0 {
		children = process.Children(pid)
	}
	all := slices.Concat(l.processes.outlived(), l.undebugged(children))
	if len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s that the program had started ended with it: %s", processes(len(all)), l.s.manager.processList(all))
}

// programPID is the program's process on this machine, 0 when there is none or
// it is not known.
func (l *run) programPID() int {
	pid, streams := l.knownPID(), (*adapters.Streams)(nil)
	if plan := l.plan(); plan != nil && !l.processes.isUnknown() {
		streams = plan.Streams
	}
	if pid != 0 || streams == nil || streams.Stdout == nil {
		return pid
	}
	pid = process.WriterOf(streams.Stdout) // the adapter does not tell
	l.processes.setSought(pid, l.s.currentRun() == l && l.s.status().Stopped())
	return pid
}

// ProgramPID is the program's process, found out where the adapter does not tell it; 0
// where nobody knows.
func (s *Session) ProgramPID() int {
	l := s.currentRun()
	if l == nil {
		return 0
	}
	return l.programPID()
}

// knownPID is the program's process as far as it was told.
func (l *run) knownPID() int {
	plan := l.plan()
	if plan == nil || plan.Mode == adapters.RemoteAttach || plan.Mode == adapters.Core {
		return 0
	}
	if l.isOutlived() {
		return l.connections.main().knownPID()
	}
	if first := l.programs.first(); first != nil {
		return first.Pid()
	}
	return cmp.Or(l.processes.program(), l.s.request.Program.PID)
}

// findSurvivors looks, before they are killed, for processes that have outlived the
// program.
func (l *run) findSurvivors() {
	if l.plan() == nil || l.plan().Detach {
		return
	}
	var left []process.Other
	if peer := l.peer(); peer != nil && peer.Orphans != nil {
		left = peer.Orphans()
	}
	for _, child := range l.programs.all() {
		if isClosed(child.Ended()) {
			left = append(left, child.Left()...)
		}
		if !isClosed(child.Done()) {
			left = append(left, child.Orphans()...)
		}
	}
	if first := l.programs.first(); first != nil && isClosed(first.Ended()) {
		l.processes.setLeft(l.withoutHelper(left)) // those that are debugged have outlived it, too
		return
	}
	l.processes.setLeft(l.undebugged(left))
}

// undebugged are those of some processes that the program has started and no
// connection debugs.
func (l *run) undebugged(list []process.Other) []process.Other {
	pids := l.connections.processes()
	return slices.DeleteFunc(l.withoutHelper(list), func(o process.Other) bool { return slices.Contains(pids, o.PID) })
}

// withoutHelper are those of some processes that the program has started, and not its adapter.
func (l *run) withoutHelper(list []process.Other) []process.Other {
	helper := ""
	if l.plan() != nil { // it may have ended before there was one
		helper = l.plan().Capabilities.Start.Helper
	}
	return slices.DeleteFunc(slices.Clone(list), func(o process.Other) bool {
		return helper != "" && strings.Contains(o.Command, helper)
	})
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// childProcessWarnings says once what became of the processes that the program has
// started: of those that outlived it, and, where a breakpoint was never hit, of
// those in which none can be.
func (l *run) childProcessWarnings(neverHit bool) (said []string) {
	all, left := l.processes.take()
	if len(left) > 0 {
		said = append(said, fmt.Sprintf("%s that the program had started outlived it, and ended with the session: %s", processes(len(left)), l.s.manager.processList(left)))
	}
	seen := slices.DeleteFunc(l.undebugged(all), func(o process.Other) bool {
		return slices.ContainsFunc(left, func(x process.Other) bool { return x.PID == o.PID })
	})
	if plan := l.plan(); plan != nil && plan.Capabilities.Start.Follows {
		return said
	}
	if neverHit && len(seen)+len(left) > 0 {
		all = slices.Concat(left, seen)
		said = append(said, fmt.Sprintf("no breakpoint is hit in a process that is not followed, and the program has started %s of that kind: %s%s", childCount(len(all)), l.s.manager.processList(all), l.followHint()))
	}
	if neverHit && len(said) == 0 {
		if how := l.startedText(); how != "" {
			said = []string{"the program has " + how + ", which are not followed: no breakpoint is hit in them" + l.followHint()}
		}
	}
	return said
}

// unfollowedText says of a program that has ended that it has started processes which nobody
// has followed; empty where none is known.
func (l *run) unfollowedText() string {
	if l.plan().Capabilities.Start.Follows {
		return ""
	}
	l.processes.mu.Lock()
	all := slices.Concat(l.processes.left, l.processes.seen)
	l.processes.mu.Unlock()
	if d, isKnown := l.descent(); isKnown && len(d.Ends) > 0 {
		return descentText(d, l.followHint())
	}
	how := l.startedText()
	if seen := l.undebugged(all); len(seen) > 0 {
		how = fmt.Sprintf("started %s: %s", childCount(len(seen)), l.s.manager.processList(seen))
	}
	if how == "" {
		return ""
	}
	return "not followed: the program has " + how + "; whether one of those failed was not seen" + l.followHint()
}

// Between two looks for whether a program has waited for another that it had started: a
// program that runs long is looked at less and less often.
const (
	firstWaited = 5 * time.Millisecond
	laterWaited = 1.01 // times as long each time
)

// watchWaited looks for that until it is so, where nothing else would tell: a child that came
// and went is known to the system only as long as the program is there.
func (l *run) watchWaited() {
	plan := l.plan()
	if plan.Child != nil || plan.Capabilities.Start.Follows || plan.Capabilities.End.Forks != nil || isAttached(plan) {
		return
	}
	for pause := firstWaited; sleep.For(l.ctx, pause); pause = min(time.Duration(float64(pause)*laterWaited), lookEvery) {
		if pid := l.knownPID(); pid != 0 && process.HasWaited(pid) {
			l.processes.see(nil, true)
			return
		}
	}
}

// followHint says how such processes are followed, where the debugger can.
func (l *run) followHint() string {
	if l.plan() == nil || l.plan().Capabilities.Start.Follow == "" {
		return ""
	}
	return fmt.Sprintf(" (adapter_options %s %s)", l.plan().Capabilities.Start.Follow, l.plan().Capabilities.Start.FollowsWhich)
}

// startedText is what is known of processes that came and went between two looks: of those of
// an adapter that follows processes nothing, for they may have been followed.
func (l *run) startedText() string {
	plan := l.plan()
	if plan == nil || plan.Child != nil {
		return ""
	}
	if forks := plan.Capabilities.End.Forks; forks != nil && forks() > 0 {
		n := forks()
		if n >= adapters.MostForks {
			return fmt.Sprintf("started %d child processes or more", adapters.MostForks)
		}
		return "started " + childCount(n)
	}
	l.processes.mu.Lock()
	waited := l.processes.waited
	l.processes.mu.Unlock()
	if first := l.programs.first(); first != nil && l.programs.isFirstGone() && first.WasParent() || waited {
		return "started child processes"
	}
	return ""
}

// childCount counts what was not followed by the name that is looked for then.
func childCount(n int) string {
	if n == 1 {
		return "1 child process"
	}
	return fmt.Sprintf("%d child processes", n)
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// processList lists processes for people, by their command lines without secrets.
func (m *Manager) processList(list []process.Other) string {
	var names []string
	for _, o := range list[:min(len(list), namedOthers)] {
		o.Command = m.mask.Command(o.Command)
		names = append(names, o.String())
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
