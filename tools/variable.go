package tools

// VariableParams are the arguments of variable.
type VariableParams struct {
	Action     string `json:"action" enum:"get,set,patch" default:"get"`
	Expression string `json:"expression"`
	Name       string `json:"name" doc:"variable or path to set, e.g. cfg.Retries"`
	Value      string `json:"value" doc:"literal or expression of the language"`
	Code       string `json:"code" doc:"patch: the function anew, whole"`
	File       string `json:"file" doc:"patch: of the code, when not the frame's"`
	Frame      int    `json:"frame" min:"0"`
	SessionRef
	NoWait
	Brief
}

// Variable is the definition of variable.
func Variable() Typed[*VariableParams] {
	return define[VariableParams]("variable", "Get or set a variable",
		"Set a variable of the stopped program and read it back: try a fix without rebuilding. get reads one value. "+
			"patch replaces a function where the language can; expression is then evaluated to prove it.",
		Annotations{Destructive: true, Idempotent: true})
}
