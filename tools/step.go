package tools

// StepParams are the arguments of step.
type StepParams struct {
	Action       string `json:"action" enum:"over,into,out,back" default:"over"`
	Count        int    `json:"count" default:"1" min:"1" max:"100"`
	ThreadID     int    `json:"thread_id"`
	Granularity  string `json:"granularity" enum:"line,statement,instruction" default:"line"`
	IntoFunction string `json:"into_function" doc:"of the calls on this line, step into this one"`
	SessionRef
	Wait
	Brief
}

// Step is the definition of step.
func Step() Typed[*StepParams] {
	return define[StepParams]("step", "Step",
		"Step, and see the new location, code, changed variables and output; after out also the returned values. A breakpoint or "+
			"panic ends count early.",
		Annotations{})
}
