package handlers

import "aidb-mcp/tools"

// rule is what a call needs of a session before its handler may run.
type rule struct {
	session need
	state   standing
	passes  bool // works while another call holds the session, and takes no lock
	quiet   bool // leaves no trace in the history
}

// need says whether a call speaks of a session.
type need int

const (
	none     need = iota
	optional      // of the current one if there is one
	required
)

// standing is the state in which a session must be.
type standing int

const (
	whatever standing = iota
	alive             // not ended
	stopped           // the program stands still
)

// ruler finds the rule of a call from its parameters.
type ruler func(params any) rule

func always(r rule) ruler { return func(any) rule { return r } }

// moving is the rule of what moves or changes a program that stands still.
var moving = rule{session: required, state: stopped}

func executeRule(params any) rule {
	switch params.(*tools.ExecuteParams).Action {
	case "run": // from the start, in whatever state the last run is
		return rule{session: required}
	case "pause":
		return rule{session: required, state: alive, passes: true}
	case "wait":
		return rule{session: required, passes: true}
	}
	return moving
}

func breakpointRule(params any) rule {
	if params.(*tools.BreakpointToolParams).Action == "list" {
		return rule{session: required, passes: true, quiet: true}
	}
	return rule{session: required} // also for the next run of an ended program
}

func inspectRule(params any) rule {
	switch params.(*tools.InspectParams).Target {
	case "output", "source":
		return rule{session: required, passes: true}
	case "threads": // some adapters tell them of a program that runs
		return rule{session: required, state: alive}
	}
	return rule{session: required, state: stopped}
}

func sessionRule(params any) rule {
	switch params.(*tools.SessionParams).Action {
	case "list", "cleanup":
		return rule{passes: true, quiet: true}
	case "status", "switch", "subscribe":
		return rule{session: required, passes: true, quiet: true}
	case "input":
		return rule{session: required, state: alive, passes: true}
	case "restart":
		return rule{session: required}
	}
	return rule{session: required, passes: true} // stop, output
}
