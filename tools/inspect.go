package tools

// InspectParams are the arguments of inspect.
type InspectParams struct {
	Target     string `json:"target" enum:"locals,globals,arguments,registers,stack,threads,expression,object,all,exception,source,output,memory,disassembly,modules,waits" default:"locals" doc:"threads: by stack, with what they wait for"`
	Expression string `json:"expression" doc:"evaluated in frame, calls allowed, e.g. user.Orders[2].Total"`
	Ref        int    `json:"ref" min:"1" doc:"of a shown value, until the program resumes"`
	Frame      int    `json:"frame" min:"0" doc:"0 = top, as in stack"`
	ThreadID   int    `json:"thread_id"`
	Depth      int    `json:"depth" min:"0" max:"3"`
	Start      int    `json:"start" doc:"first item or line; negative for output: from the end"`
	Count      int    `json:"count" min:"1"`
	Filter     string `json:"filter" doc:"part of a name or line"`
	Location   string `json:"location" doc:"for source, disassembly"`
	Address    string `json:"address" doc:"e.g. 0xc000012345"`
	Length     int    `json:"length" min:"1" max:"65536"`
	SessionRef
	NoWait
	Reply
}

// Subject is the target; an expression or a reference given without one says
// what it is about.
func (p *InspectParams) Subject() string {
	switch {
	case p.Target != "locals":
		return p.Target
	case p.Expression != "":
		return "expression"
	case p.Ref != 0:
		return "object"
	}
	return p.Target
}

// Inspect is the definition of inspect.
func Inspect() Typed[*InspectParams] {
	return define[InspectParams]("inspect", "Look at the stopped program",
		"Look at the stopped program: values, stack, threads, source, memory. expression evaluates, ref opens a shown value "+
			"further. source and output also work while it runs.",
		Annotations{ReadOnly: true})
}
