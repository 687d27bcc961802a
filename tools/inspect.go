package tools

// InspectParams are the arguments of inspect.
type InspectParams struct {
	Target     string `json:"target" enum:"locals,globals,arguments,registers,stack,threads,expression,object,all,exception,source,output,memory,disassembly,modules" default:"locals" doc:"threads: goroutines grouped by stack, with what they wait for"`
	Expression string `json:"expression" doc:"evaluated in frame, calls allowed, e.g. user.Orders[2].Total"`
	Ref        int    `json:"ref" min:"1" doc:"of a shown value, valid until the program resumes"`
	Frame      int    `json:"frame" min:"0" doc:"0 = top, as in stack"`
	ThreadID   int    `json:"thread_id"`
	Depth      int    `json:"depth" min:"0" max:"3" doc:"levels of children"`
	Start      int    `json:"start" doc:"first item or line; negative for output: from the end"`
	Count      int    `json:"count" min:"0" doc:"items, lines or instructions"`
	Filter     string `json:"filter" doc:"only names or lines that contain this"`
	Location   string `json:"location" doc:"for source, disassembly"`
	Address    string `json:"address" doc:"for memory, e.g. 0xc000012345"`
	Length     int    `json:"length" min:"1" max:"65536" doc:"bytes of memory"`
	SessionRef
	Reply
}

func inspectTool() *Definition {
	return define("inspect", "Look at the stopped program",
		"Look at values, stack, goroutines, memory and source of the stopped program, without moving it. Give expression to evaluate, "+
			"or ref to open a value further. source and output also work while it runs.",
		Annotations{ReadOnly: true},
		new(InspectParams))
}
