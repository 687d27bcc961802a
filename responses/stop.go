package responses

// ExecutionState is where a session stands, in the contract's words.
type ExecutionState struct {
	Status            string `json:"status"`
	StopReason        string `json:"stop_reason,omitempty"`
	ThreadID          ID     `json:"thread_id,omitempty"`
	BreakpointsActive *bool  `json:"breakpoints_active,omitempty"` // absent when there is no program
	HitBreakpoints    []int  `json:"hit_breakpoints,omitempty"`
	ExitCode          *int   `json:"exit_code,omitempty"`
	Signal            string `json:"signal,omitempty"`
	Doing             string `json:"doing,omitempty"`      // while starting
	RunningMS         int64  `json:"running_ms,omitempty"` // since the start or the last resume
}

// Exception is why a program stopped at a panic, an exception or a signal.
type Exception struct {
	Type    string     `json:"type,omitempty"`
	Message string     `json:"message,omitempty"`
	Stack   string     `json:"stack,omitempty"`
	Inner   *Exception `json:"inner,omitempty"`

	StackLength int `json:"-"` // of the whole stack text when Stack is cut
}

// Change is a variable's value at the last stop and now.
type Change struct {
	Name string `json:"-"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// Changes is written as {"name": {"old","new"}} in order.
type Changes []Change

// MarshalJSON writes the changes as one object.
func (c Changes) MarshalJSON() ([]byte, error) {
	object := make(Object, len(c))
	for i, change := range c {
		object[i] = Member{change.Name, change}
	}
	return encode(object)
}

// Mapping says where a directory here lies for the program, and what shows it.
type Mapping struct {
	Local    string `json:"local"`
	Remote   string `json:"remote"`
	Evidence string `json:"evidence"`
}

// StopView is the data of everything that starts, moves or stops the program.
type StopView struct {
	State       ExecutionState    `json:"execution_state"`
	Location    string            `json:"location,omitempty"`
	Function    string            `json:"function,omitempty"`
	Snapshot    *Snapshot         `json:"code_snapshot,omitempty"`
	Exception   *Exception        `json:"exception,omitempty"`
	Shown       *Variables        `json:"show,omitzero"` // the expressions that were asked for
	Changed     Changes           `json:"changed_variables,omitempty"`
	Locals      *Variables        `json:"locals,omitzero"`
	Returned    *Variables        `json:"return_value,omitzero"`
	Stack       *Stack            `json:"stack,omitzero"`
	ServerReady string            `json:"server_ready,omitempty"` // the address at which it says that it can be called
	Listening   []string          `json:"listening,omitempty"`    // addresses at which the program has begun to listen
	Trigger     *Trigger          `json:"trigger,omitzero"`
	Output      *Output           `json:"output,omitzero"`
	Breakpoints *List[Breakpoint] `json:"breakpoints,omitzero"`     // that need attention
	NeverHit    *List[Breakpoint] `json:"never_hit,omitzero"`       // once the program has ended
	Hits        Object            `json:"hits,omitempty"`           // of each breakpoint that was hit, by its id, once the program has ended
	Others      []OtherSession    `json:"other_sessions,omitempty"` // that were started with this one
	Mappings    []Mapping         `json:"path_mappings,omitempty"`  // that were found
	Warnings    []string          `json:"warnings,omitempty"`

	Rest *Call `json:"-"` // shows the view again where all else had to go

	changedTotal int  // before the budget cut some
	hitsTotal    int  // the same
	bare         bool // only the state is left
}

// OtherSession is one of those that were started together.
type OtherSession struct {
	ID     string `json:"session_id"`
	Name   string `json:"name"`
	Status string `json:"status"`
}

func (v *StopView) omissions() []Omission {
	var all []Omission
	for _, part := range []omitter{v.Shown, v.Locals, v.Returned, v.Stack, v.Output, v.Breakpoints, v.NeverHit, v.Exception} {
		all = append(all, part.omissions()...)
	}
	if v.changedTotal > len(v.Changed) {
		all = append(all, Omission{What: "changed variables", Shown: len(v.Changed), Total: v.changedTotal, Get: v.Rest})
	}
	if v.hitsTotal > len(v.Hits) {
		get := NewCall("breakpoint", "action", "list", "max_bytes", 40000)
		all = append(all, Omission{What: "hits of breakpoints", Shown: len(v.Hits), Total: v.hitsTotal, Get: &get})
	}
	if v.bare {
		all = append(all, Omission{What: "everything but the state", Get: v.Rest})
	}
	return all
}

func (v *StopView) trims() []trim {
	return []trim{
		v.Locals.trimValues(80),
		v.Locals.trimChildren(0),
		v.Stack.trim(3),
		v.Output.trim(500), v.Trigger.trim(200),
		v.Exception.trim(500),
		v.Snapshot.trim(1),
		v.Locals.trim(5),
		v.Breakpoints.trim(3), v.NeverHit.trim(3), v.trimHits,
		v.trimChanged(5),
		v.Locals.trimValues(30), v.Returned.trimValues(80), v.Shown.trimValues(200),
		v.Output.trim(0), v.Trigger.trim(0),
		v.Exception.trim(0),
		v.Locals.trim(0), v.Returned.trim(0), v.Shown.trimValues(40), v.Shown.trim(3), v.trimChanged(0), v.Stack.trim(1),
		v.Snapshot.trim(0),
		v.strip,
	}
}

func (v *StopView) trimChanged(keep int) trim {
	return func(over int) bool {
		if len(v.Changed) <= keep {
			return false
		}
		v.changedTotal = max(v.changedTotal, len(v.Changed))
		v.Changed = v.Changed[:cutRows(v.Changed, over, keep)]
		return true
	}
}

// trimHits gives up the counts of all but the first breakpoints, which the list
// of breakpoints has too.
func (v *StopView) trimHits(int) bool {
	const few = 10
	if len(v.Hits) <= few {
		return false
	}
	v.hitsTotal = max(v.hitsTotal, len(v.Hits))
	v.Hits = v.Hits[:few]
	return true
}

// strip leaves the state alone, which is never given up.
func (v *StopView) strip(int) bool {
	if v.bare {
		return false
	}
	*v = StopView{State: v.State, Trigger: v.Trigger.bare(), Rest: v.Rest, bare: true}
	v.State.HitBreakpoints = v.State.HitBreakpoints[:min(len(v.State.HitBreakpoints), 5)]
	v.State.Doing = shortenEncoded(v.State.Doing, 60)
	return true
}

func (e *Exception) omissions() []Omission {
	if e == nil || e.StackLength <= len(e.Stack) {
		return nil
	}
	get := NewCall("inspect", "target", "exception", "max_bytes", 40000)
	return []Omission{{What: "stack of the exception (bytes)", Shown: len(e.Stack), Total: e.StackLength, Get: &get}}
}

// trim keeps the first bytes of the stack text, and of a long message.
func (e *Exception) trim(keep int) trim {
	return func(int) bool {
		if e == nil {
			return false
		}
		stack, message := shortenEncoded(e.Stack, keep), shortenEncoded(e.Message, max(keep, 300))
		changed := stack != e.Stack || message != e.Message
		e.StackLength = max(e.StackLength, len(e.Stack))
		e.Stack, e.Message = stack, message
		if keep == 0 && e.Inner != nil {
			e.Inner, changed = nil, true
		}
		return changed
	}
}
