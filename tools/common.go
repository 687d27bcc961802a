package tools

import "time"

// Params is what the parameters of all tools have in common. The structs that a tool
// embeds give it: SessionRef or NoSession, Wait or NoWait, Reply or Brief.
type Params interface {
	Session() string // the session that was asked for; empty: the current one, or none
	Waits() bool     // for the program, as long as Timeout
	Timeout() time.Duration
	Spend(time.Duration)
	Budget() int
	IsVerbose() bool
}

// SessionRef is embedded by the tools that speak of a session.
type SessionRef struct {
	SessionID string `json:"session_id"`
}

// Session is the id that was asked for; empty means the current session.
func (s *SessionRef) Session() string { return s.SessionID }

// NoSession is embedded by the tools that speak of no session.
type NoSession struct{}

// Session is none.
func (NoSession) Session() string { return "" }

// Reply is embedded by every tool: how long and how talkative its reply may be.
type Reply struct {
	MaxBytes int  `json:"max_bytes" default:"8000" min:"1000" max:"40000" list:"type"`
	Verbose  bool `json:"verbose" list:"no"`
}

// Budget is the most bytes that the reply may take.
func (r *Reply) Budget() int { return r.MaxBytes }

// IsVerbose says whether the reply should explain itself.
func (r *Reply) IsVerbose() bool { return r.Verbose }

// Brief is Reply of the tools whose replies are short as a rule: tools/list does not
// show that they take it too.
type Brief struct {
	MaxBytes int  `json:"max_bytes" default:"8000" min:"1000" max:"40000" list:"no"`
	Verbose  bool `json:"verbose" list:"no"`
}

// Budget is the most bytes that the reply may take.
func (b *Brief) Budget() int { return b.MaxBytes }

// IsVerbose says whether the reply should explain itself.
func (b *Brief) IsVerbose() bool { return b.Verbose }

// Wait is embedded by the tools that wait for the program.
type Wait struct {
	TimeoutMS int `json:"timeout_ms" default:"20000" min:"0" max:"300000" list:"bare"`
}

// Waits says that the call waits for the program.
func (w *Wait) Waits() bool { return true }

// Timeout is how long the call may wait; 0 returns at once.
func (w *Wait) Timeout() time.Duration { return time.Duration(w.TimeoutMS) * time.Millisecond }

// Spend takes time that the call has already waited, in a queue, off its timeout.
func (w *Wait) Spend(d time.Duration) {
	w.TimeoutMS = max(0, w.TimeoutMS-int(d.Milliseconds()))
}

// NoWait is embedded by the tools that do not wait for the program.
type NoWait struct{}

// Waits says that the call does not wait for the program.
func (NoWait) Waits() bool { return false }

// Timeout is no time: nothing is waited for.
func (NoWait) Timeout() time.Duration { return 0 }

// Spend takes nothing off.
func (NoWait) Spend(time.Duration) {}

// PathMapping says that a directory of the machine that built or runs the
// program is one of this machine.
type PathMapping struct {
	Local  string `json:"local" required:"true"`
	Remote string `json:"remote" required:"true"`
}
