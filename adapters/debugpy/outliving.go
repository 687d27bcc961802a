package debugpy

import (
	"strings"

	"aidb-mcp/adapters"
)

// following knows by their command lines the processes that debugpy debugs, of a program that an
// agent debugs itself: a fork has that of the first, which names debugpy, and what is started
// with another is given it. Who asks about a whole run asks about that of the first; nil then.
func (a *adapter) following(j *job) func(command string) bool {
	hasChildren := j.options.SubProcess == nil || *j.options.SubProcess
	if j.Mode != adapters.Launch || !hasChildren || j.Record != nil || j.Left != adapters.LeftUnasked {
		return nil
	}
	home := a.Store.Dir(component)
	return func(command string) bool { return strings.Contains(command, home) }
}
