package responses

// Envelope is one answer. Its fields are written in this order, the empty ones
// left out.
type Envelope struct {
	Success   bool        `json:"success"`
	Summary   string      `json:"summary"` // one plain sentence
	SessionID string      `json:"session_id,omitempty"`
	Data      any         `json:"data,omitempty"`
	NextSteps []NextStep  `json:"next_steps,omitempty"`
	Error     *Problem    `json:"error,omitempty"`
	Omitted   []Omission  `json:"omitted,omitempty"` // what a limit cut before the budget did
	Events    []string    `json:"events,omitempty"`  // of other sessions since the last reply, where subscribed to
	Person    []PersonAct `json:"person,omitempty"`  // what persons did in this session since the last reply
	Notes     []string    `json:"notes,omitempty"`   // explanations, when they were asked for

	// Named says that the summary names the session, in our own words.
	Named bool `json:"-"`

	// Again is the call that led here with more room, for what is left out and
	// has no call of its own. Empty where the call must not be repeated.
	Again Call `json:"-"`
}

// Omission names something that a limit cut. Shown and Total count its rows or,
// for texts, its bytes.
type Omission struct {
	What  string `json:"what"`
	Shown int    `json:"shown"`
	Total int    `json:"total,omitempty"` // unknown when absent
	Get   *Call  `json:"get,omitempty"`   // gets the rest
}

// Problem is why a call failed.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Field   string `json:"field,omitempty"` // the parameter at fault
	Details any    `json:"details,omitempty"`
}

// maxSteps is the contract's limit on next steps.
const maxSteps = 3

// omitter is data that knows what limits have cut from it.
type omitter interface{ omissions() []Omission }

// render writes the envelope in a form, with everything that is missing from it named.
func (e *Envelope) render(form Form) Reply {
	whole := *e
	if o, ok := e.Data.(omitter); ok {
		whole.Omitted = append(whole.Omitted[:len(whole.Omitted):len(whole.Omitted)], o.omissions()...)
	}
	if len(whole.NextSteps) > maxSteps {
		whole.NextSteps = whole.NextSteps[:maxSteps]
	}
	r := Reply{IsError: !whole.Success}
	if form != Text {
		out, _ := encode(&whole) // Fit has tried it
		r.JSON = plain(out)
	}
	if form != JSON {
		r.Text = whole.text()
	}
	return r
}
