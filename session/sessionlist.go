package session

import (
	"fmt"
	"slices"

	"aidb-mcp/internal/fault"
)

// sessionList is the list of a manager's sessions, and which of them is the current one.
// The manager guards it.
type sessionList struct {
	all      []*Session // oldest first
	current  *Session
	counters map[string]int           // last number given out, by language
	spell    func(name string) string // nil: a name is an id
}

// add makes a session the newest and the current one. Of those that have ended so many
// are kept that there are no more than most in all.
func (l *sessionList) add(s *Session, most int) {
	l.all = append(l.all, s)
	l.current = s
	l.trim(most)
}

func (l *sessionList) liveIDs() []string {
	var ids []string
	for _, s := range l.all {
		if s.status() != Terminated {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// choose checks a requested name or makes one, and the id that goes with it; an ended session
// gives both away.
func (l *sessionList) choose(language, requested string) (name, id string, err error) {
	if requested == "" {
		for {
			l.counters[language]++
			if name := fmt.Sprintf("%s-%d", language, l.counters[language]); l.find(name) == nil {
				return name, l.idOf(name), nil
			}
		}
	}
	if old := l.find(requested); old != nil {
		if old.status() != Terminated {
			return "", "", fault.New(fault.InvalidParam, "session %s exists already", requested).
				WithHint("leave session_id out, or stop it first").WithField("session_id")
		}
		l.remove(old)
		return old.name, old.id, nil
	}
	if !validID.MatchString(requested) {
		return "", "", fault.New(fault.InvalidParam, "session id %q is not usable", requested).
			WithHint("use letters, digits, dot, dash and underscore, at most 64").WithField("session_id")
	}
	return requested, l.idOf(requested), nil
}

// idOf is the id of a session that is called by a name.
func (l *sessionList) idOf(name string) string {
	if l.spell == nil {
		return name
	}
	return l.spell(name)
}

// trim forgets the oldest ended sessions when too many are kept.
func (l *sessionList) trim(most int) {
	for extra := len(l.all) - most; extra > 0; extra-- {
		i := slices.IndexFunc(l.all, func(s *Session) bool { return s.status() == Terminated })
		if i < 0 {
			return
		}
		l.remove(l.all[i])
	}
}

// find is the session of an id. Where ids are spelled, its name finds it too, for a
// client that has chosen it: no other client reaches this server by a name.
func (l *sessionList) find(id string) *Session {
	for _, s := range l.all {
		if s.id == id || s.name == id {
			return s
		}
	}
	return nil
}

// remove removes a session from the list; the newest that is left becomes current.
func (l *sessionList) remove(s *Session) {
	l.all = slices.DeleteFunc(l.all, func(x *Session) bool { return x == s })
	if l.current != s {
		return
	}
	l.current = nil
	for _, x := range l.all {
		if l.current == nil || x.status() != Terminated || l.current.status() == Terminated {
			l.current = x
		}
	}
}
