package tools

// ExecuteParams are the arguments of execute.
type ExecuteParams struct {
	Action        string   `json:"action" enum:"continue,run,pause,wait,jump" default:"continue" doc:"run: from the start; wait: for the next stop; jump: go on at jump_target"`
	Until         string   `json:"until"`
	JumpTarget    string   `json:"jump_target" doc:"file:line or line"`
	ThreadID      int      `json:"thread_id"`
	WaitForStop   bool     `json:"wait_for_stop" default:"true"`
	CollectOutput bool     `json:"collect_output" default:"true" list:"no"`
	Trigger       *Trigger `json:"trigger" list:"flat" doc:"sent as it runs: {http:{method,url,headers,body}}|{command:[]}|{stdin}"`
	SessionRef
	Wait
	Reply
}

// Execute is the definition of execute.
func Execute() Typed[*ExecuteParams] {
	return define[ExecuteParams]("execute", "Run, pause or wait",
		"Resume the program; answers at the next stop with location, code, locals, stack and output. Says so if it still runs "+
			"after timeout_ms: then wait, or pause to see where it hangs (both work while another call waits).",
		Annotations{})
}
