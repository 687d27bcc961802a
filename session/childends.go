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

// descent is what is known of the program's child processes and of all below them; isKnown is false
// where the kernel does not tell.
func (l *run) descent() (d offspring.Descent, isKnown bool) {
	w, pid := l.offspring.Load(), 0
	if forked := l.plan().Capabilities.End.Forked; forked != nil {
		pid = forked()
	}
	if pid == 0 { // who writes its output may be a child by now: the debugger's word comes first
		pid = l.knownPID()
	}
	if w == nil || pid == 0 {
		return d, false
	}
	return w.Below(pid)
}

// failedChildren are the child processes that have failed, each as text for the reply.
func (l *run) failedChildren() []string {
	d, _ := l.descent()
	return failedOf(d)
}

func failedOf(d offspring.Descent) (list []string) {
	for _, e := range d.Ends {
		if e.HasFailed() {
			list = append(list, e.String())
		}
	}
	return list
}

// descentText says what became of the child processes of a program that has ended.
func descentText(d offspring.Descent, hint string) string {
	said := "not followed: the program has started " + childCount(d.Children)
	if d.Grandchildren > 0 {
		said += fmt.Sprintf(" (and these %d more)", d.Grandchildren)
	}
	if open := d.Children + d.Grandchildren - len(d.Ends); open > 0 {
		said += fmt.Sprintf(", of which %d had not ended when it did", open)
	}
	failed := failedOf(d)
	if len(failed) == 0 && len(d.Ends) > 0 {
		return said + "; all that have ended did so with exit code 0"
	}
	shown := slices.Clone(failed[:min(len(failed), namedOthers)])
	if more := len(failed) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	if len(shown) > 0 {
		said += "; " + strings.Join(shown, ", ")
	}
	return said + hint
}

// FollowedBy is the adapter_options, as JSON, with which the debugger would follow child processes.
// It is empty where it follows them already, or cannot.
func (s *Session) FollowedBy() string {
	if can := s.capabilities().Start; !can.Follows {
		return can.Follow
	}
	return ""
}

// FollowsOthers says that processes which the program starts are followed as parts of it.
func (s *Session) FollowsOthers() bool { return s.capabilities().Start.Follows }
