package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/system/offspring"
)

// watchEnds asks the kernel how the child processes of the program end, if the request wants to know
// ([StartRequest.Ends]): a debugger does not see those that it does not follow.
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

// childEnds are the ends of the program's child processes and of all below them, as far as they have
// ended; isKnown is false where the kernel does not tell.
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

// failedChildren are the child processes that have failed, each as text for the reply.
func (l *run) failedChildren() (list []string) {
	ends, _ := l.childEnds()
	for _, e := range ends {
		if e.HasFailed() {
			list = append(list, e.String())
		}
	}
	return list
}

// childEndsText says what became of the child processes of a program that has ended.
func (l *run) childEndsText(ends []offspring.End) string {
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

// FollowedBy is the adapter_options, as JSON, with which the debugger would follow child processes.
// It is empty where it follows them already, or cannot.
func (s *Session) FollowedBy() string {
	if can := s.capabilities().Start; !can.Follows {
		return can.Follow
	}
	return ""
}
