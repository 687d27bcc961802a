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
	counters map[string]int // last number given out, by language
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

// chooseID checks a wished id or makes one; an ended session gives its id away.
func (l *sessionList) chooseID(language, wished string) (string, error) {
	if wished == "" {
		for {
			l.counters[language]++
			if id := fmt.Sprintf("%s-%d", language, l.counters[language]); l.find(id) == nil {
				return id, nil
			}
		}
	}
	if !validID.MatchString(wished) {
		return "", fault.New(fault.InvalidParam, "session id %q is not usable", wished).
			WithHint("use letters, digits, dot, dash and underscore, at most 64").WithField("session_id")
	}
	if old := l.find(wished); old != nil {
		if old.status() != Terminated {
			return "", fault.New(fault.InvalidParam, "session %s exists already", wished).
				WithHint("leave session_id out, or stop it first").WithField("session_id")
		}
		l.remove(old)
	}
	return wished, nil
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

func (l *sessionList) find(id string) *Session {
	for _, s := range l.all {
		if s.id == id {
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
