package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aidb-mcp/internal/system/process"
	"aidb-mcp/session/lifecycle"
)

// How the processes are followed that outlive the one that the program began with.
const (
	outliveLook  = 250 * time.Millisecond
	outliveQuiet = 500 * time.Millisecond // those that end by then are not worth a word
	outliveMost  = 10 * time.Minute       // that none of them has stood still
)

// onFirstEnd is called when the process has ended that the program began with. The run is over
// then, unless processes live that this has started, and that connections debug.
func (l *run) onFirstEnd() {
	if l.plan().Capabilities.End.Follows == nil || l.programs.first() == nil {
		l.onProgramEnd("")
		return
	}
	l.onceOutlived.Do(func() {
		// It owns the end of the run by itself, and ends with that or a bound.
		l.spawn("following what the program has left behind", func() {
			note := l.awaitFollowed()
			if l.ctx.Err() == nil { // else it is ended already
				l.findSurvivors()
				l.programs.kill() // or their output would be waited for
			}
			l.onProgramEnd(note)
		})
	})
}

// awaitFollowed waits until no process is debugged any more. The note says why it has ended before.
func (l *run) awaitFollowed() (note string) {
	if !l.awaitOwnExit() {
		return ""
	}
	look := time.NewTicker(outliveLook)
	defer look.Stop()
	began, told := time.Now(), false
	for {
		list := l.followedNow()
		switch {
		case len(list) == 0:
			return ""
		case l.s.status().Stopped():
			began = time.Now()
		case time.Since(began) > outliveMost:
			return fmt.Sprintf("for %d minutes nothing has stood still after the end of its first process", int(outliveMost.Minutes()))
		}
		if !told && (time.Since(began) > outliveQuiet || l.s.status().Stopped()) {
			l.letFirstGo(list)
			told = true
		}
		select {
		case <-look.C: // the end of some of them is announced to nobody
		case <-l.programs.first().Done():
			return ""
		case <-l.ctx.Done():
			return ""
		}
	}
}

// awaitOwnExit gives the first process time to end whose code is through.
func (l *run) awaitOwnExit() bool {
	ctx, cancel := context.WithTimeout(l.ctx, programLimit)
	defer cancel()
	select {
	case <-l.programs.first().Ended():
		return true
	case <-ctx.Done():
		return false
	}
}

// followedNow are the processes that live, and that are debugged or are about to be.
func (l *run) followedNow() []process.Other {
	return slices.DeleteFunc(l.programs.first().Orphans(), func(o process.Other) bool {
		return !l.plan().Capabilities.End.Follows(o.Command)
	})
}

// letFirstGo gives up the connection of the first process, and says so.
func (l *run) letFirstGo(list []process.Other) {
	root := l.connections.root()
	l.connections.disown(root)
	l.s.breakpoints.Unlink(root.number)
	l.change(func(m *lifecycle.Machine) { m.Lose(root.number) })
	how := ""
	if code := l.ending.exitCode(); code != nil {
		how = fmt.Sprintf(" with exit code %d", *code)
	}
	verb := "runs on"
	if len(list) > 1 {
		verb = "run on"
	}
	l.warn(fmt.Sprintf("the program's first process has ended%s; %s that it has started %s, and the session with it: %s", how, processes(len(list)), verb, l.s.manager.processList(list)))
}

// isOutlived says that the first process has ended, and others of the program are debugged.
func (l *run) isOutlived() bool {
	root, main := l.connections.root(), l.connections.main()
	return root != nil && !root.broker && main != root
}
