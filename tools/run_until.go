package tools

// RunUntilParams are the arguments of run_until.
type RunUntilParams struct {
	Location             string     `json:"location" required:"true" doc:"file:line, line or function"`
	AlternativeLocations []string   `json:"alternative_locations" doc:"stop at whichever comes first"`
	Statement            string     `json:"statement" doc:"text of the line; location is then the file" list:"no"`
	Condition            Expression `json:"condition" doc:"e.g. i == 41"`
	Trigger              *Trigger   `json:"trigger" list:"flat"`
	SessionRef
	Wait
	Brief
}

// RunUntil is the definition of run_until.
func RunUntil() Typed[*RunUntilParams] {
	return define[RunUntilParams]("run_until", "Run to a location",
		"Run to a location without keeping a breakpoint there; other breakpoints stay as they are. Answers like execute.",
		Annotations{})
}
