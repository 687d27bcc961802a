package session

// Limits are those of the sessions that are opened from now on.
func (m *Manager) Limits() Limits { panic("stub") }

// SetLimits changes them; sessions that are open keep theirs.
func (m *Manager) SetLimits(l Limits) { panic("stub") }
