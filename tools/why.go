package tools

// WhyParams are the arguments of why.
type WhyParams struct {
	Expression Expression `json:"expression" required:"true"`
	Frame      int        `json:"frame" min:"0" doc:"0 = top"`
	Location   string     `json:"location" doc:"where it is seen, file:line; default: where the session stands"`
	Condition  Expression `json:"condition" doc:"at location: which pass; default: the last"`
	Steps      int        `json:"steps" default:"3" min:"1" max:"5" doc:"how far back"`
	Start
	SessionRef
	Wait
	Brief
}

// Why is the definition of why.
func Why() Typed[*WhyParams] {
	return define[WhyParams]("why", "Where a value came from",
		"From a wrong value back to the statement that wrote it, and on into what that took it from: last write first, with old and new value, operands and callers. "+
			"Runs the program again; the session stays as it is. Example: {\"expression\":\"order.total\"}",
		Annotations{OpenWorld: true})
}
