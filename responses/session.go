package responses

// Session is one session as status and list show it.
type Session struct {
	ID          string            `json:"session_id,omitempty"` // in lists
	Current     bool              `json:"current,omitempty"`
	Status      string            `json:"status,omitempty"` // in lists, in place of State
	State       *ExecutionState   `json:"execution_state,omitempty"`
	Location    string            `json:"location,omitempty"`
	Function    string            `json:"function,omitempty"`
	Language    string            `json:"language,omitempty"`
	Mode        string            `json:"mode,omitempty"`
	Target      string            `json:"target,omitempty"`
	PID         int               `json:"pid,omitempty"`
	Workspace   string            `json:"workspace,omitempty"`
	Age         string            `json:"age,omitempty"` // since the start: "2m5s"
	Exceptions  []string          `json:"exceptions,omitempty"`
	Breakpoints *List[Breakpoint] `json:"breakpoints,omitzero"`
	Output      *Output           `json:"output,omitzero"`
}

func (s *Session) omissions() []Omission {
	return append(s.Breakpoints.omissions(), s.Output.omissions()...)
}

func (s *Session) trims() []trim {
	return []trim{s.Output.trim(500), s.Breakpoints.trim(3), s.Output.trim(0), s.Breakpoints.trim(0)}
}

// Sessions is the data of session(list) and session(cleanup).
type Sessions struct {
	Sessions *List[Session] `json:"sessions,omitempty"` // an empty list is an answer
	Removed  []string       `json:"removed,omitempty"`
}

func (s *Sessions) omissions() []Omission { return s.Sessions.omissions() }

func (s *Sessions) trims() []trim { return []trim{s.Sessions.trim(1)} }

// Events says which events a session reports.
type Events struct {
	Subscribed []string `json:"subscribed"`
}
