package tools

// StepParams are the arguments of step.
type StepParams struct {
	Action       string `json:"action" enum:"over,into,out,back" default:"over"`
	Count        int    `json:"count" default:"1" min:"1" max:"100"`
	ThreadID     int    `json:"thread_id"`
	Granularity  string `json:"granularity" enum:"line,statement,instruction" default:"line"`
	IntoFunction string `json:"into_function" doc:"step into this function of the current line, over the others"`
	SessionRef
	Wait
	Reply
}

func stepTool() *Definition {
	return define("step", "Step",
		"Step and see what changed: answers with the new location, code, changed variables and output, and after out the returned values. "+
			"count repeats it; a breakpoint or panic ends the count early.",
		Annotations{},
		new(StepParams))
}
