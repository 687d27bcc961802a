package session

import (
	"cmp"
	"maps"
)

// Against is what differs in a second run, which is compared with a first; what is empty does not.
type Against struct {
	Target string
	Test   string
	Args   []string
	Env    map[string]string
	Stdin  *string
	Patch  string // of the workspace
}

// Request is that of the second run, but for a patch ([Manager.Change]).
func (by *Against) Request(r StartRequest) StartRequest {
	r.Program.Target, r.Program.Test = cmp.Or(by.Target, r.Program.Target), cmp.Or(by.Test, r.Program.Test)
	if by.Args != nil {
		r.Program.Args = by.Args
	}
	if by.Env != nil {
		r.Program.Env = maps.Clone(r.Program.Env)
		if r.Program.Env == nil {
			r.Program.Env = map[string]string{}
		}
		maps.Copy(r.Program.Env, by.Env)
	}
	if by.Stdin != nil {
		r.Program.Stdin = by.Stdin
	}
	return r
}
