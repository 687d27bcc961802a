package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/offspring"
)

// watchEnds has the kernel tell how the processes end that the program starts, where that was asked
// for: no debugger sees those that it does not follow.
func (l *run) watchEnds(plan *adapters.Plan) {
	if !l.s.request.Ends || plan.Child != nil || plan.Capabilities.Start.Follows || isAttached(plan) {
		return
	}
	w, err := l.s.manager.kernel.Watch()
	if err != nil {
		l.s.log.Debug("the ends of child processes are not known", "error", err)
		return
	}
	l.offspring.Store(w)
	context.AfterFunc(l.ctx, w.Close)
}

// childEnds are the ends of the processes that the program had started, and those that they had; not
// known where the kernel does not tell.
func (l *run) childEnds() (ends []offspring.End, isKnown bool) {
	w, pid := l.offspring.Load(), l.knownPID()
	if forked := l.plan().Capabilities.End.Forked; pid == 0 && forked != nil {
		pid = forked()
	}
	if w == nil || pid == 0 {
		return nil, false
	}
	return w.Below(pid)
}

// failedChildren are those that have not ended with exit code 0, for people.
func (l *run) failedChildren() (list []string) {
	ends, _ := l.childEnds()
	for _, e := range ends {
		if e.HasFailed() {
			list = append(list, e.String())
		}
	}
	return list
}

// endsText says of a program that has ended what became of the processes that it had started.
func (l *run) endsText(ends []offspring.End) string {
	started, failed := len(ends), l.failedChildren()
	if forks := l.plan().Capabilities.End.Forks; forks != nil {
		started = max(started, forks())
	}
	said := "not followed: the program has started " + childCount(started)
	if open := started - len(ends); open > 0 {
		said += fmt.Sprintf(", of which %d had not ended when it did", open)
	}
	if len(failed) == 0 {
		return said + "; all that have ended did so with exit code 0"
	}
	shown := slices.Clone(failed[:min(len(failed), namedOthers)])
	if more := len(failed) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return said + "; " + strings.Join(shown, ", ") + l.followHint()
}

// FollowedBy are the adapter's options by which processes that the program starts would be followed,
// as JSON; empty where they are followed, or its debugger can follow none.
func (s *Session) FollowedBy() string {
	if can := s.capabilities().Start; !can.Follows {
		return can.Follow
	}
	return ""
}
