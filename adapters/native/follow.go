package native

import (
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/text/pattern"
)

// followsFirst has LLDB go with the first process that a program forks or starts.
const followsFirst = `{"debugger": "codelldb", "initCommands": ["settings set target.process.follow-fork-mode child"]}`

// leaving matches the command by which LLDB or gdb goes with a child process and leaves its parent.
var leaving = pattern.New(`follow-fork-mode\s+child\b`)

// tellLeaving says of a debugger that goes with a child process what it leaves: nothing that is told later
// is of the program itself, its exit code neither, and there is no advice to do what is done.
func (j *job) tellLeaving(plan *adapters.Plan) {
	if !slices.ContainsFunc(j.options.InitCommands, leaving.MatchString) {
		return
	}
	plan.Capabilities.Start.Follow, plan.Capabilities.Start.FollowsWhich = "", ""
	plan.Warnings = append(plan.Warnings, "the debugger goes with the first process that the program starts (follow-fork-mode): the end that is told then is of that one; "+
		"what the program itself does from there on, its exit code, and what else it starts are not followed")
}
