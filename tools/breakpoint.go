package tools

// BreakpointToolParams are the arguments of breakpoint.
type BreakpointToolParams struct {
	Action       string   `json:"action" enum:"set,remove,list,clear_all,enable,disable,watch,unwatch" default:"set"`
	Location     string   `json:"location" doc:"file:line, line (current file) or function; for statement: the file"`
	Column       int      `json:"column" min:"1"`
	Statement    string   `json:"statement" doc:"text of the line, instead of its number"`
	Condition    string   `json:"condition" doc:"stop only when true, e.g. len(items) > 3"`
	HitCondition string   `json:"hit_condition" doc:"5, >5, >=5, <5, <=5, ==5 or %5 (every fifth hit)"`
	LogMessage   string   `json:"log_message" doc:"print instead of stopping; {expression} is filled in"`
	Exceptions   []string `json:"exceptions" doc:"uncaught, all, none or filter names"`
	Name         string   `json:"name" doc:"variable or expression to watch"`
	AccessType   string   `json:"access_type" enum:"write,read,readWrite" default:"write"`
	ID           int      `json:"id" min:"1"`
	SessionRef
	Reply
}

func breakpointTool() *Definition {
	return define("breakpoint", "Breakpoints and watchpoints",
		"Set, list and remove breakpoints; watch stops where a variable changes. Adds to what is there; works while the program runs. Says at once whether it is bound, "+
			"and if not, why and which lines would be.",
		Annotations{Idempotent: true},
		new(BreakpointToolParams))
}
