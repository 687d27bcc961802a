package tools

import "time"

// SessionRef is embedded by the tools that speak of a session.
type SessionRef struct {
	SessionID string `json:"session_id"`
}

// Session is the id that was asked for; empty means the current session.
func (s *SessionRef) Session() string { return s.SessionID }

// Reply is embedded by every tool: how long and how talkative its reply may be.
type Reply struct {
	MaxBytes int  `json:"max_bytes" default:"8000" min:"1000" max:"40000" list:"type"`
	Verbose  bool `json:"verbose" list:"no"`
}

// Budget is the most bytes that the reply may take.
func (r *Reply) Budget() int { return r.MaxBytes }

// Explain says whether the reply should explain itself.
func (r *Reply) Explain() bool { return r.Verbose }

// Brief is Reply of the tools whose replies are short as a rule: tools/list does not
// show that they take it too.
type Brief struct {
	MaxBytes int  `json:"max_bytes" default:"8000" min:"1000" max:"40000" list:"no"`
	Verbose  bool `json:"verbose" list:"no"`
}

// Budget is the most bytes that the reply may take.
func (b *Brief) Budget() int { return b.MaxBytes }

// Explain says whether the reply should explain itself.
func (b *Brief) Explain() bool { return b.Verbose }

// Wait is embedded by the tools that wait for the program.
type Wait struct {
	TimeoutMS int `json:"timeout_ms" default:"20000" min:"0" max:"300000" list:"bare"`
}

// Timeout is how long the call may wait; 0 returns at once.
func (w *Wait) Timeout() time.Duration { return time.Duration(w.TimeoutMS) * time.Millisecond }

// Spend takes time that the call has already waited, in a queue, off its timeout.
func (w *Wait) Spend(d time.Duration) {
	w.TimeoutMS = max(0, w.TimeoutMS-int(d.Milliseconds()))
}

// PathMapping says that a directory of the machine that built or runs the
// program is one of this machine.
type PathMapping struct {
	Local  string `json:"local" required:"true"`
	Remote string `json:"remote" required:"true"`
}
