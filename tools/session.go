package tools

// SessionParams are the arguments of session.
type SessionParams struct {
	Action          string   `json:"action" enum:"status,list,stop,restart,switch,cleanup,input,output,subscribe,ask,show" default:"status" doc:"cleanup: forget ended sessions; input: text to stdin; ask: text to a person; show: how one joins"`
	KeepBreakpoints bool     `json:"keep_breakpoints" default:"true"`
	Text            string   `json:"text"`
	EOF             bool     `json:"eof" doc:"close stdin after text"`
	Kill            bool     `json:"kill" doc:"an attached program too"`
	Events          []string `json:"events" enum:"output,breakpoint,exception,terminated" doc:"told in later replies"`
	SessionRef
	Wait
	Reply
}

// Session is the definition of session.
func Session() Typed[*SessionParams] {
	return define[SessionParams]("session", "Sessions, input and output",
		"stop when done: nothing is left running. restart rebuilds. status, "+
			"list, output, input and stop work while another call waits.",
		Annotations{})
}
