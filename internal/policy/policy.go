// Package policy is what the user lets a server do: which folders it may use,
// whether it may change, start and attach to programs. A denial says what is
// allowed instead.
//
// It looks at paths and decides; it knows nothing of sessions, adapters and tools.
package policy

import (
	"fmt"
	"strings"

	"aidb-mcp/internal/fault"
)

// Policy is what is allowed. The zero value allows everything.
type Policy struct {
	ReadOnly bool // looking at and attaching to programs, nothing else
	NoAttach bool
	roots    []root
}

// What a read-only server does.
const looking = "session_start with mode attach, remote_attach or core, breakpoints, steps, pauses and every look at values, stack, threads and source; " +
	"session(stop) lets the program run on"

// Start refuses to start a program.
func (p Policy) Start() error {
	if !p.ReadOnly {
		return nil
	}
	return p.refuseReadOnly("starting a program", "mode")
}

// Change refuses what changes a program or writes files: "setting a variable".
func (p Policy) Change(what, param string) error {
	if !p.ReadOnly {
		return nil
	}
	return p.refuseReadOnly(what, param)
}

func (p Policy) refuseReadOnly(what, param string) error {
	return denial(param, "%s is refused: this server only looks (--read-only)", what).WithHint("allowed are %s", p.allowedText(looking))
}

// allowedText is what a read-only server does, without attaching where that is forbidden.
func (p Policy) allowedText(what string) string {
	if p.NoAttach {
		return strings.Replace(what, "mode attach, remote_attach or core", "mode core", 1)
	}
	return what
}

// Attach refuses to attach to a program.
func (p Policy) Attach(param string) error {
	if !p.NoAttach {
		return nil
	}
	allowed := "programs that session_start starts itself (mode launch, test, exec), and core files"
	if p.ReadOnly {
		allowed = "core files (mode core)"
	}
	return denial(param, "attaching to a program is refused (--no-attach)").WithHint("allowed are %s", allowed)
}

// Evaluate refuses an expression for a reason: "it calls a function".
func (p Policy) Evaluate(param, expression, why string) error {
	return denial(param, "the expression %q is refused: %s, and this server only looks (--read-only)", expression, why).
		WithHint("allowed are names, members, elements, literals and operators, such as order.items[2].price > 10; inspect(locals) and ref open values without an expression")
}

// String says in sentences which policy stands, empty when everything is allowed.
func (p Policy) String() string {
	var said []string
	if p.ReadOnly {
		said = append(said, "This server only looks (--read-only): it starts, changes and ends nothing, and refuses expressions that call or assign. Allowed are "+p.allowedText(looking)+".")
	}
	if p.NoAttach && !p.ReadOnly {
		said = append(said, "This server attaches to no program (--no-attach).")
	}
	if len(p.roots) > 0 {
		said = append(said, fmt.Sprintf("Programs, sources and written files must lie below %s (--allow-root).", p.folders()))
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(append(said, "What is outside of that is answered with AIDB_POLICY_DENIED."), " ")
}

func denial(param, format string, args ...any) *fault.Error {
	return fault.New(fault.PolicyDenied, format, args...).WithField(param)
}
