package session

// Limits are those of the sessions that are opened from now on, defaults filled in.
func (m *Manager) Limits() Limits {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.limits
}

// SetLimits changes them; sessions that are open keep theirs.
func (m *Manager) SetLimits(l Limits) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limits = l.withDefaults()
}
