package profile

import (
	"cmp"
	"maps"

	"aidb-mcp/session"
)

// Against is what differs in a second run; what is empty does not.
type Against struct {
	Target string
	Test   string
	Args   []string
	Env    map[string]string
	Stdin  *string
	Patch  string // of the workspace
}

// secondRequest is that of the second run, but for a patch.
func (by *Against) secondRequest(r session.StartRequest) session.StartRequest {
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
