package handlers

import (
	"sync"
	"time"

	"aidb-mcp/responses"
	"aidb-mcp/session"
)

// Settings are the limits and switches that config shows and sets. The command
// line fills them in. mu guards what config changes while calls go on.
type Settings struct {
	Version    string // of aidb-mcp
	Limits     session.Limits
	ReplyBytes int           // of a reply that names no max_bytes; 0 is the contract's default
	Wait       time.Duration // of a call that names no timeout_ms; 0 is the contract's default
	Replies    responses.Form

	mu sync.Mutex
}

// defaultBudget is the contract's size of a reply.
const defaultBudget = 8000

// replyBytes is the size of a reply that names none.
func (s *Settings) replyBytes() int {
	if s == nil {
		return defaultBudget
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ReplyBytes > 0 {
		return s.ReplyBytes
	}
	return defaultBudget
}

// wait is how long a call waits that does not say, 0 for the contract's default.
func (s *Settings) wait() time.Duration {
	if s == nil {
		return 0
	}
	return s.Wait
}

// form is how replies are sent.
func (s *Settings) form() responses.Form {
	if s == nil {
		return responses.Text
	}
	return s.Replies
}

// formOf is how the reply to a call is sent; one who looks reads JSON.
func (s *Settings) formOf(c *Call) responses.Form {
	if c.isLook {
		return responses.JSON
	}
	return s.form()
}

func (s *Settings) version() string {
	if s == nil {
		return ""
	}
	return s.Version
}

func (s *Settings) setReplyBytes(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ReplyBytes = n
}

// room is how many bytes of one text a reply of the size that was asked for has room
// for: what is the rule, and more where that is a larger one than usual.
func (s *Settings) room(asked, rule int) int {
	const aroundIt = 1500 // state, summary, what is omitted and how to get it
	if budget := s.budget(asked); budget > defaultBudget {
		return max(rule, budget-aroundIt)
	}
	return rule
}

// budget is how many bytes a reply may take of which so many were asked for.
func (s *Settings) budget(asked int) int {
	if asked == defaultBudget {
		return s.replyBytes()
	}
	return asked
}
