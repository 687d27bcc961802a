package tools

// SessionParams are the arguments of session.
type SessionParams struct {
	Action          string   `json:"action" enum:"status,list,stop,restart,switch,cleanup,input,output,subscribe" default:"status" doc:"cleanup: forget ended sessions; input: write text to the program's stdin; subscribe: see events"`
	KeepBreakpoints bool     `json:"keep_breakpoints" default:"true"`
	Text            string   `json:"text"`
	EOF             bool     `json:"eof" doc:"close stdin after text"`
	Kill            bool     `json:"kill" doc:"stop: also kill a program that was attached to"`
	Events          []string `json:"events" enum:"output,breakpoint,exception,terminated" doc:"reported while calls wait and in later replies"`
	SessionRef
	Wait
	Reply
}

func sessionTool() *Definition {
	return define("session", "Sessions and the program's input and output",
		"Stop a session when done (its processes are gone then); restart rebuilds after an edit and keeps the breakpoints. "+
			"status, list, output, input and stop work while another call waits.",
		Annotations{Destructive: true},
		new(SessionParams))
}
