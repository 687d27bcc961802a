package tools

// ExecuteParams are the arguments of execute.
type ExecuteParams struct {
	Action        string `json:"action" enum:"continue,run,pause,wait,jump" default:"continue" doc:"run: from the start; wait: for the next stop of a running program; jump: move the point of execution to jump_target"`
	Until         string `json:"until" doc:"continue only to this location"`
	JumpTarget    string `json:"jump_target" doc:"file:line or line"`
	ThreadID      int    `json:"thread_id"`
	WaitForStop   bool   `json:"wait_for_stop" default:"true"`
	CollectOutput bool   `json:"collect_output" default:"true" doc:"include program output"`
	SessionRef
	Wait
	Reply
}

func executeTool() *Definition {
	return define("execute", "Run, pause or wait",
		"Resume the program and answer at the next stop with location, code, locals, stack and output. If it still runs when timeout_ms is over "+
			"the reply says so: go on with wait, or pause a stuck program to see where it hangs. pause and wait work while another call waits.",
		Annotations{},
		new(ExecuteParams))
}
