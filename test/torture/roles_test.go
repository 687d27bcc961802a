//go:build linux

package torture

import (
	"path/filepath"
	"slices"
	"strings"

	"aidb-mcp/internal/testkit"
)

// role is what a process is to its session.
type role string

const (
	supervisor role = "supervisor"
	compiler   role = "compiler"
	program    role = "program"
	adapter    role = "adapter"
	pest       role = "pest" // of the program's
)

var compilers = []string{"go", "compile", "asm", "link", "gcc", "g++", "cc", "c++", "cc1", "cc1plus", "as", "ld", "collect2", "cargo", "rustc", "javac"}

// roleOf tells by the command line; parent is that of the process.
func (p *place) roleOf(proc, parent testkit.Proc) role {
	words := strings.Fields(proc.Command)
	if len(words) == 0 {
		return pest
	}
	tool := filepath.Base(words[0])
	switch {
	case len(words) > 1 && words[1] == "supervise":
		return supervisor
	case tool == "sh" || tool == "setsid" || tool == "sleep":
		return pest
	case slices.Contains(compilers, tool) && !strings.Contains(proc.Command, p.token):
		return compiler
	case strings.Contains(proc.Command, p.token):
		return program
	case strings.Contains(parent.Command, " supervise "):
		return adapter
	}
	return pest
}

// players are the processes of the session that have a role now.
func (p *place) players(wanted role) []testkit.Proc {
	all := testkit.Descendants(p.server.PID())
	byPID := map[int]testkit.Proc{}
	for _, proc := range all {
		byPID[proc.PID] = proc
	}
	return slices.DeleteFunc(all, func(proc testkit.Proc) bool {
		return p.before.pids[proc.PID] || proc.State == "Z" || p.roleOf(proc, byPID[proc.Parent]) != wanted
	})
}
