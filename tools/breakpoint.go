package tools

// BreakpointToolParams are the arguments of breakpoint.
type BreakpointToolParams struct {
	Action       string       `json:"action" enum:"set,remove,list,clear_all,enable,disable,watch,unwatch" default:"set"`
	Location     string       `json:"location" doc:"file:line, line, function; with statement: the file"`
	Column       int          `json:"column" min:"1"`
	Statement    string       `json:"statement" doc:"text of the line, instead of its number"`
	Condition    Expression   `json:"condition" doc:"e.g. len(items) == 3; @1 x > 0 is of the caller's x"`
	HitCondition string       `json:"hit_condition" doc:"5, ==5, %5 (every fifth hit) or a comparison like >=5"`
	LogMessage   string       `json:"log_message" doc:"print this instead of stopping; {expression} is filled in"`
	Show         []Expression `json:"show" doc:"expressions to evaluate at its stops"`
	Exceptions   []string     `json:"exceptions" doc:"uncaught, all, none or filter names"`
	Name         string       `json:"name" doc:"variable or expression to watch"`
	AccessType   string       `json:"access_type" enum:"write,read,readWrite" default:"write"`
	ID           int          `json:"id" min:"1" doc:"with set: change that one"`
	SessionRef
	NoWait
	Reply
}

// Breakpoint is the definition of breakpoint.
func Breakpoint() Typed[*BreakpointToolParams] {
	return define[BreakpointToolParams]("breakpoint", "Breakpoints and watchpoints",
		"Set, list or remove breakpoints; watch stops where a variable changes. Works while the program runs. Tells whether it is "+
			"bound, else why not and which lines would be.",
		Annotations{Idempotent: true})
}
