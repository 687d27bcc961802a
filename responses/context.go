package responses

// Operation is one entry of the history.
type Operation struct {
	N       int    `json:"n"`
	What    string `json:"what"`
	Outcome string `json:"outcome,omitempty"`
	Failed  bool   `json:"failed,omitempty"`
	MS      int64  `json:"ms,omitempty"`
}

// Context is the data of context.
type Context struct {
	State       ExecutionState    `json:"execution_state"`
	Target      string            `json:"target,omitempty"`
	Mode        string            `json:"mode,omitempty"`
	Location    string            `json:"location,omitempty"`
	Function    string            `json:"function,omitempty"`
	Exception   *Exception        `json:"exception,omitempty"`
	Opinion     *Opinion          `json:"opinion,omitempty"`
	Snapshot    *Snapshot         `json:"code_snapshot,omitempty"`
	Stack       *Stack            `json:"stack,omitzero"`
	Locals      *Variables        `json:"locals,omitzero"`
	Breakpoints *List[Breakpoint] `json:"breakpoints,omitzero"`
	Operations  *List[Operation]  `json:"operations,omitzero"` // the newest first
	Values      *List[ValueTrail] `json:"values,omitzero"`
	Attempts    *Tried            `json:"attempts,omitempty"`
	Sessions    *List[Session]    `json:"sessions,omitzero"` // the others
}

// Tried is what was tried against the failure of a session.
type Tried struct {
	Problem string   `json:"problem"` // names it in aidb://attempts/
	Said    string   `json:"said"`
	Winner  int      `json:"winner,omitempty"`
	Last    []string `json:"last,omitempty"`
}

// ValueTrail is what one variable was at one stop after another.
type ValueTrail struct {
	Name string   `json:"name"`
	Seen []string `json:"seen"` // "calc.go:7 = 3", oldest first; stops where it had not changed are left out
}

func (c *Context) omissions() []Omission {
	var all []Omission
	for _, part := range []omitter{c.Exception, c.Opinion, c.Stack, c.Locals, c.Breakpoints, c.Operations, c.Values, c.Sessions} {
		all = append(all, part.omissions()...)
	}
	return all
}

func (c *Context) trims() []trim {
	return []trim{
		c.Locals.trimValues(80), c.Operations.trim(10), c.Values.trim(10), c.Stack.trim(3), c.Exception.trim(300),
		c.Snapshot.trim(1), c.Sessions.trim(1), c.Locals.trim(3), c.Values.trim(1), c.Operations.trim(3), c.Breakpoints.trim(1),
		c.Snapshot.trim(0), c.Locals.trim(0), c.Values.trim(0), c.Operations.trim(0), c.Exception.trim(0), c.Stack.trim(1),
		c.Breakpoints.trim(0), c.Sessions.trim(0), c.Opinion.trim(400),
	}
}
