package handlers

import (
	"aidb-mcp/session"
)

// powers are the capabilities of a session, or of a language's adapter before
// any start, and whose they are.
func (h *Handlers) powers(s *session.Session, language string) ([]session.Capability, string, error) {
	if s != nil && (language == "" || s.Language() == language) {
		return s.Capabilities(), s.ID(), nil
	}
	return nil, language, nil
}
