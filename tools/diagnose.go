package tools

// DiagnoseParams are the arguments of diagnose.
type DiagnoseParams struct {
	Repeat  int    `json:"repeat" min:"1" max:"10000" doc:"most runs, until one fails"`
	Keep    *bool  `json:"keep" doc:"default true: the session stays at the failure"`
	Check   string `json:"check" enum:"races,memory,undefined" doc:"run under its detector"`
	Explain bool   `json:"explain" doc:"by the client's model"`
	Strict  bool   `json:"strict" doc:"fail if anything is left running"`
	Start
	SessionRef
	Wait
	Reply
}

// Diagnose is the definition of diagnose.
func Diagnose() Typed[*DiagnoseParams] {
	d := define[DiagnoseParams]("diagnose", "What went wrong",
		"Start here with the aidb debugger: runs a program or test and says what went wrong: crash, exception, failing test, hang, deadlock, exit code; the line with the value of each of its parts, the first bad one marked, "+
			"the callers' arguments, the calls that led there. Example: {\"test\":\"TestTotal\"}",
		Annotations{OpenWorld: true})
	d.First = true
	return d
}
