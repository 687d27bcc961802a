package native

import (
	"slices"

	"aidb-mcp/adapters"
	"aidb-mcp/internal/fault"
	"aidb-mcp/internal/text/pattern"
)

// followsFirst has LLDB go with the first process that a program forks or starts.
const followsFirst = `{"debugger": "codelldb", "initCommands": ["settings set target.process.follow-fork-mode child"]}`

// followsAll has gdb debug all of them beside the program.
const followsAll = `{"debugger": "gdb", "followChildren": true}`

// refuseFollow refuses to follow child processes where that cannot be done.
func (j *job) refuseFollow() error {
	switch {
	case !j.options.Follow:
		return nil
	case j.debugger.kind != gdb:
		return fault.New(fault.NotSupported, "followChildren needs gdb: %s debugs one process only", j.debugger.kind).WithField("adapter_options").
			WithHint("give adapter_options %s; or have LLDB go with the first child: %s", followsAll, followsFirst)
	case j.Mode == adapters.Attach || j.Mode == adapters.RemoteAttach || j.Mode == adapters.Core:
		return fault.New(fault.InvalidParam, "adapter_options: followChildren is for a program that is started here").WithField("adapter_options").
			WithHint("leave it out, and attach to a child process by its own pid")
	}
	return nil
}

// leaving matches the command by which LLDB or gdb goes with a child process and leaves its parent.
var leaving = pattern.New(`follow-fork-mode\s+child\b`)

// follow says what becomes of child processes.
func (j *job) follow(plan *adapters.Plan) {
	can := &plan.Capabilities.Start
	switch {
	case j.options.Follow:
		can.Follows, can.Follow, can.FollowsWhich = true, "", ""
	case j.debugger.kind == gdb:
		can.Follow, can.FollowsWhich = followsAll, "follows them"
	}
	j.tellLeaving(plan)
}

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
